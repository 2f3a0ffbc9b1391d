"""Pages of blogs: the list of posts, and a page of each tag and author, made from the posts' front matter."""

from __future__ import annotations

import difflib
import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from octavo.config import Author, Blog, Config, Locale, label_in, site_words
from octavo.content import (
    date_in_name,
    day_of,
    distinct_words,
    is_day,
    is_external,
    is_list,
    people_in,
    picture_from,
    picture_html,
    read_settings,
    term_file,
)
from octavo.diagnostics import Diagnostic, Span
from octavo.lazy import regex as re
from octavo.site import Source, docs_root, mount_root
from octavo.words import fill_word, format_date

_MARK = re.compile(r"<!--\s*(?:truncate|more)\s*-->|\{/\*\s*truncate\s*\*/\}")
"""Ends what lists show of a post, in Docusaurus and in Material for MkDocs."""
_LONGEST = 400
"""Characters of a paragraph that stands for a post without a description and without a mark."""
_NAMED = 5
"""Posts that the description of a list names."""
_MARKUP = re.compile(
    # The last form of a link is `autorefs`' own: the name alone, as code.
    r"\[\^[^\]\s]+\]|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|\[`([^`\]]+)`\]|<[^>]*>|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|\{#[^}]*\}"
)
_INHERITED = ("date", "draft", "unlisted")
"""Keys of the front matter that a translation takes from its original where it leaves them out."""
_NO_PROSE = ("#", "import ", "export ", ":::", "```", "~~~", "|", "<", "!!!", "![", "{")


class _Post(msgspec.Struct, frozen=True):
    path: str
    """From the folder of the blog."""
    key: str
    """See `_Place.key`."""
    title: str
    date: str
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    excerpt: str
    language: str = ""
    """Attributes that mark its title and its excerpt; "" where these are in the language of the list."""


def add_blog_pages(sources: Sequence[Source], site_dir: Path, config: Config) -> tuple[list[Source], list[Diagnostic]]:
    """Add the pages of the blogs that `octavo.toml` names, behind all others. A file at the path of one takes its place.

    Returns:
        (sources, posts that have no date).
    """
    taken = {posixpath.splitext(source.path)[0] for source in sources}
    added: list[Source] = []
    problems: list[Diagnostic] = []
    is_hugo = any("hugo" in one.extensions for one in config.markdown_folders.values())
    for blog in config.blogs:
        problems.extend(_missing_pictures(blog, site_dir, config))
        pictures = {author.name: picture_of(author, site_dir, config) for author in blog.authors.values()}
        place = _place(blog, config, config.default_locale)
        files = [source for source in sources if place.has(source)]
        posts = list(_read_posts(files, {}, place, blog, site_dir, problems, is_hugo=is_hugo))
        if not posts:
            message = f'blogs: the folder "{place.folder}" contains no posts with a date.'
            problems.append(Diagnostic("blog", "warn", _span_of_setting(blog.folder, site_dir), message))
        problems.extend(_shared_pages(posts, place, site_dir))
        lists = [(place, blog, posts)]
        for locale in config.locales[1:]:
            own = _place(blog, config, locale)
            translations = [source for source in sources if own.has(source)] if own.is_apart_from(place) else []
            if translations:
                originals = {place.key(source): source for source in files}
                found = list(_read_posts(translations, originals, own, blog, site_dir, problems, is_hugo=is_hugo))
                keys = {own.key(source) for source in translations}
                rest = [_foreign(post, config.default_locale) for post in posts if post.key not in keys]
                lists.append((own, _localized(blog, config, locale), [*found, *rest]))
        introduction = _introduction(blog, site_dir, problems)
        for own, named, shown in lists:
            shown.sort(key=lambda post: (post.date, post.path), reverse=True)
            words = site_words(config, own.locale.id)
            for path, text in _pages(named, shown, words, introduction, pictures, own):
                stem = posixpath.splitext(f"{own.folder}/{path}")[0]
                # The list page of Hugo is called `_index`, that of VuePress `README`.
                names = [f"{own.folder}/{own.file(name)}" for name in ("_index", "README", "readme")]
                if taken.isdisjoint([stem, *(names if path == own.file("index.md") else [])]):
                    taken.add(stem)
                    added.append(
                        Source(
                            f"{own.folder}/{path}",
                            own.root,
                            is_page=False,
                            mount=own.mount,
                            suffix=own.suffix,
                            made_from="octavo.toml",
                            data=text.encode("utf-8", "replace"),
                            maker="blog",
                        )
                    )
    return [*sources, *added], problems


def is_in_blog(path: str, config: Config) -> bool:
    """Return whether a file lies in the folder of a blog, in any language, so that lists of posts may depend on it."""
    return any(
        path.startswith(f"{_place(blog, config, locale).folder}/") for blog in config.blogs for locale in config.locales
    )


class _Place(NamedTuple):
    """Where the posts of a blog are in one language."""

    locale: Locale
    folder: str
    """From the site's folder."""
    root: str
    """See `Source.root`."""
    mount: str | None
    suffix: str
    """See `Source.suffix`."""

    def has(self, source: Source) -> bool:
        """Whether a file of the site may be a post."""
        return (
            source.path.startswith(f"{self.folder}/")
            and source.suffix == self.suffix
            and source.data is None
            and not is_list(source.path, self.folder)
        )

    def is_apart_from(self, other: _Place) -> bool:
        return (self.folder, self.suffix) != (other.folder, other.suffix)

    def key(self, source: Source) -> str:
        """What translations of a post have in common: its path without ending and language."""
        stem = posixpath.splitext(source.path)[0].removeprefix(f"{self.folder}/")
        return stem.removesuffix(f".{source.suffix or source.tag}") if source.suffix or source.tag else stem

    def file(self, path: str) -> str:
        """Name a file of this language."""
        stem, ending = posixpath.splitext(path)
        return f"{stem}.{self.suffix}{ending}" if self.suffix else path


def _place(blog: Blog, config: Config, locale: Locale) -> _Place:
    mount = blog.folder if blog.folder in config.mounts else None
    suffix = "" if locale is config.default_locale else locale.suffix
    if mount is not None:
        root = mount_root(config, locale, mount)
        return _Place(locale, root, root, mount, suffix)
    root = docs_root(config, locale, config.last_version)
    return _Place(locale, posixpath.normpath(f"{root}/{blog.folder}"), root, None, suffix)


def _localized(blog: Blog, config: Config, locale: Locale) -> Blog:
    title, description = (label_in(config, locale.id, text) for text in (blog.title, blog.description))
    return msgspec.structs.replace(blog, title=title, description=description)


def _foreign(post: _Post, locale: Locale) -> _Post:
    """Mark a post as one in the default language, for the list of another."""
    return msgspec.structs.replace(post, language=f'lang="{escape(locale.id)}" dir="{locale.direction}"')


def _read_posts(
    sources: Sequence[Source],
    originals: Mapping[str, Source],
    place: _Place,
    blog: Blog,
    site_dir: Path,
    problems: list[Diagnostic],
    *,
    is_hugo: bool,
) -> Iterator[_Post]:
    """Read the posts of one language.

    Args:
        sources: Their files.
        originals: Key (see `_Place.key`) → the file that is translated, which says what its translation leaves out.
        place: Where they are.
        blog: The blog.
        site_dir: The site's folder.
        problems: Takes findings.
        is_hugo: Whether the site is written for Hugo.
    """
    for source in sources:
        name, key = posixpath.basename(source.path), place.key(source)
        text = _text_of(source, site_dir)
        if text is None:
            continue  # reported where it is compiled
        # Hugo passes over empty lines above front matter.
        front, body = read_settings(text.lstrip() if is_hugo else text)
        if key in originals and (first := _text_of(originals[key], site_dir)):
            above = read_settings(first.lstrip() if is_hugo else first)[0]
            front = {name: above[name] for name in _INHERITED if name in above} | front
        if front.get("draft") is True or front.get("unlisted") is True:
            continue
        given = front.get("date")
        date = day_of(given) if given else date_in_name(source.path)
        if not date and name.startswith("_index."):
            continue  # the page of a section of Hugo: its posts are the other files of the folder
        if date is None or not is_day(date):
            written = str((given.get("created") if isinstance(given, dict) else given) or date or "")
            what = f'has the date "{written}", which is not a day,' if written else "has no date,"
            message = f'The post "{source.path}" {what} and is in no list of the blog "{blog.title}".'
            hint = "Write `date: 2026-01-31` into its front matter, or begin its file name with the date."
            span = _span_of(written, text, source.path) if given else Span(source.path)
            problems.append(Diagnostic("blog", "warn", span, message, hint))
            continue
        problems.extend(_slips(front, text, source.path, blog))
        yield _Post(
            path=source.path.removeprefix(f"{place.folder}/"),
            key=key,
            title=str(front.get("title") or _title_of(body) or posixpath.splitext(name)[0]),
            date=date,
            authors=tuple(dict.fromkeys(_author_names(front.get("authors") or front.get("author"), blog))),
            tags=tuple(distinct_words(_words(front.get("tags")))),
            excerpt=_excerpt(front, body),
        )


def _text_of(source: Source, site_dir: Path) -> str | None:
    try:
        return (site_dir / source.path).read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    except OSError:
        return None


def _introduction(blog: Blog, site_dir: Path, problems: list[Diagnostic]) -> str:
    """Read the text before the list, without the title, which is that of the blog."""
    if not blog.introduction:
        return ""
    path = (site_dir / blog.introduction).resolve()
    try:
        if not path.is_relative_to(site_dir.resolve()):
            raise FileNotFoundError
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        message = f'The introduction "{blog.introduction}" of the blog "{blog.title}" cannot be read.'
        hint = "Name a Markdown file in the site's folder."
        problems.append(Diagnostic("blog", "warn", Span("octavo.toml"), message, hint))
        return ""
    body = read_settings(text.replace("\r\n", "\n"))[1]
    return re.sub(r"\A\s*#[ \t]+[^\n]*", "", body).strip()


def picture_of(author: Author, site_dir: Path, config: Config) -> str:
    """Give the picture of an author; "" where there is none, or where its file is missing, which is reported once."""
    if not author.picture or is_external(author.picture):
        return author.picture
    path = f"{config.static}{author.picture}" if author.picture.startswith("/") else author.picture
    file = (site_dir / path).resolve()
    return author.picture if file.is_relative_to(site_dir.resolve()) and file.is_file() else ""


def _missing_pictures(blog: Blog, site_dir: Path, config: Config) -> Iterator[Diagnostic]:
    for author in blog.authors.values():
        if author.picture and not picture_of(author, site_dir, config):
            message = (
                f'The picture "{author.picture}" of the author "{author.name}" does not exist: posts do not show it.'
            )
            hint = "Name a file from the site's folder, one from the static folder that begins with a slash, or an address."
            yield Diagnostic("blog", "warn", _span_of_setting(author.picture, site_dir), message, hint)


def _span_of_setting(value: str, site_dir: Path) -> Span:
    try:
        text = (site_dir / "octavo.toml").read_text(encoding="utf-8")
    except OSError:
        return Span("octavo.toml")
    return _span_of(value, text, "octavo.toml")


def _pages(
    blog: Blog,
    posts: Sequence[_Post],
    words: Mapping[str, str],
    introduction: str,
    pictures: Mapping[str, str],
    place: _Place,
) -> Iterator[tuple[str, str]]:
    """Make the list, on as many pages as it needs, and the pages of tags and authors."""
    size = blog.posts_per_page
    count = max(1, -(-len(posts) // size))
    for number in range(1, count + 1):
        shown = posts[(number - 1) * size : number * size]
        path = place.file("index.md" if number == 1 else f"page/{number}.md")
        newer = place.file("../index.md" if number == 2 else f"./{number - 1}.md")
        links = [f"[{_plain(words['blog.newer'])}]({newer})"] if number > 1 else []
        if number < count:
            older = place.file(f"./{'page/' if number == 1 else ''}{number + 1}.md")
            links.append(f"[{_plain(words['blog.older'])}]({older})")
        title = blog.title if number == 1 else fill_word(words["blog.numbered"], title=blog.title, number=number)
        about = [one for one in (blog.description, introduction) if one and number == 1]
        body = [*about, *_list(shown, path, words, place), *([" · ".join(links)] if links else [])]
        more = {"unlisted": True} if number > 1 else {}
        yield path, _document(title, body, description=blog.description or _titles(shown), **more)
    for kind, title, names_of in (
        ("tags", words["tags"], _tags_of),
        ("authors", words["blog.authors"], _authors_of),
    ):
        shown_as: dict[str, str] = {}
        by_name: dict[str, list[_Post]] = {}
        for post in posts:
            # Names at one address share a page, under the name of the newest post.
            for name in dict.fromkeys(shown_as.setdefault(term_file(kind, one), one) for one in names_of(post)):
                by_name.setdefault(name, []).append(post)
        lines = []
        for name in sorted(by_name, key=str.lower):
            found, path = by_name[name], place.file(term_file(kind, name))
            lines.append(f"- [{_plain(name)}](./{posixpath.basename(path)}) ({len(found)})")
            known = next((one for one in blog.authors.values() if kind == "authors" and one.name == name), None)
            picture = pictures.get(name, "") if kind == "authors" else ""
            about = [picture_html(escape(picture_from(picture, f"{place.folder}/{path}")))] if picture else []
            about += [_literal(known.title)] if known and known.title else []
            about += [f"<{known.url}>"] if known and known.url else []
            yield (
                path,
                _document(
                    f"{blog.title}: {name}",
                    [*about, *_list(found, path, words, place)],
                    sidebar_label=name,
                    description=_titles(found),
                ),
            )
        if lines:
            front = {"sidebar_label": title}
            yield place.file(f"{kind}/index.md"), _document(f"{blog.title}: {title}", ["\n".join(lines)], **front)


def _shared_pages(posts: Sequence[_Post], place: _Place, site_dir: Path) -> Iterator[Diagnostic]:
    """Find tags, and authors, that share a page, as their names differ in nothing that an address can hold."""
    for kind, names_of in (("tags", _tags_of), ("authors", _authors_of)):
        first: dict[str, str] = {}
        known: set[str] = set()
        for post in posts:
            for name in names_of(post):
                other = first.setdefault(term_file(kind, name), name)
                if name in known or " ".join(name.casefold().split()) == " ".join(other.casefold().split()):
                    continue
                known.add(name)
                path = f"{place.folder}/{post.path}"
                span = _span_of(name, (site_dir / path).read_text(encoding="utf-8", errors="replace"), path)
                message = f'"{name}" and "{other}" of {kind} have the same address, so that they share a page.'
                hint = "Write both in one way, or with other letters, such as cpp for c++."
                yield Diagnostic("blog", "warn", span, message, hint)


def _tags_of(post: _Post) -> tuple[str, ...]:
    return post.tags


def _authors_of(post: _Post) -> tuple[str, ...]:
    return post.authors


def _list(posts: Sequence[_Post], path: str, words: Mapping[str, str], place: _Place) -> Iterator[str]:
    """Write the entries of a list; links are relative to its file."""
    home = posixpath.relpath(".", posixpath.dirname(path) or ".")
    for post in posts:
        yield from _marked(f"## [{_plain(post.title)}](<{home}/{post.path}>)", post)
        links = [f"[{_plain(name)}]({home}/{place.file(term_file('authors', name))})" for name in post.authors]
        links += [f"[{_plain(tag)}]({home}/{place.file(term_file('tags', tag))})" for tag in post.tags]
        yield f'<div class="byline">\n\n{" · ".join([_date(post.date, words), *links])}\n\n</div>'
        if post.excerpt:
            yield from _marked(post.excerpt, post)


def _marked(text: str, post: _Post) -> Iterator[str]:
    """Mark a text of a post with its language, where that is not the one of the list."""
    yield from (f"<div {post.language}>", text, "</div>") if post.language else (text,)


def _titles(posts: Sequence[_Post]) -> str:
    """Say what a list without a description is about."""
    return ", ".join(_bare(post.title) for post in posts[:_NAMED])


def _date(date: str, words: Mapping[str, str]) -> str:
    """Write a date so that its first number does not start a list: in Korean it is "2026. 1. 31."."""
    return re.sub(r"^(\d+)\.", r"\1\\.", format_date(date, words))


def _document(title: str, parts: Sequence[str], **front: object) -> str:
    given = {"title": title, **{name: value for name, value in front.items() if value not in ("", None)}}
    lines = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in given.items())
    return f"---\n{lines}\nhide_table_of_contents: true\n---\n\n" + "\n\n".join(parts) + "\n"


def _excerpt(front: dict[str, Any], body: str) -> str:
    """Give the description, what is above the mark, or the first paragraph, as plain text."""
    about = next((front[key] for key in ("description", "excerpt", "summary") if isinstance(front.get(key), str)), None)
    if about is not None:
        return _plain(about)
    mark = _MARK.search(body)
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", body[: mark.start()] if mark else body)]
    prose = [part for part in paragraphs if part and not part.startswith(_NO_PROSE)]
    text = _plain(" ".join(prose if mark else prose[:1]))
    return text if mark or len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition(' ')[0]}…"


def _plain(text: str) -> str:
    """Take markup out of a text, and keep what is left from being taken for some."""
    return _literal(_bare(text))


def _bare(text: str) -> str:
    """Take markup out of a text."""
    # Twice: the text of a link can have markup of its own.
    return _MARKUP.sub(r"\1\2", _MARKUP.sub(r"\1\2", text))


def _literal(text: str) -> str:
    """Write a text in one line of Markdown as it is."""
    return re.sub(r"([\\\[\]<>*_`#{}|])", r"\\\1", " ".join(text.split()))


def _title_of(body: str) -> str | None:
    match = re.search(r"^#[ \t]+(.+?)[ \t]*#*$", body, re.MULTILINE)
    return match[1] if match else None


def _slips(front: Mapping[str, Any], text: str, path: str, blog: Blog) -> Iterator[Diagnostic]:
    """Find names of authors, and a mark of the excerpt, that are nearly known ones."""
    given = front.get("authors") or front.get("author")
    for word in given if isinstance(given, list) else [given]:
        if isinstance(word, str) and word not in blog.authors and not word[:1].isupper():
            close = difflib.get_close_matches(word, blog.authors, 1, _ALIKE)
            if close:
                message = f'The blog "{blog.title}" has no author "{word}": the post shows this word as the name.'
                span = _span_of(word, text, path)
                yield Diagnostic("blog", "warn", span, message, f'Did you mean "{close[0]}"?')
    for match in _COMMENT.finditer(text):
        if match[1] not in _MARKS and (close := difflib.get_close_matches(match[1], _MARKS, 1, _ALIKE)):
            line = text.count("\n", 0, match.start()) + 1
            message = f'The comment "{match[0]}" does not end the excerpt.'
            yield Diagnostic("blog", "warn", Span(path, line), message, f'Did you mean "{close[0]}"?')


def _span_of(word: str, text: str, path: str) -> Span:
    """Find the first place of a word of front matter; that of the file where it is written otherwise."""
    lines = enumerate(text.split("\n"), 1)
    places = (Span(path, number, line.index(word) + 1) for number, line in lines if word in line)
    return next(places, Span(path))


_MARKS = ("truncate", "more")
_COMMENT = re.compile(r"<!--[ \t]*([a-z]{3,12})[ \t]*-->")
_ALIKE = 0.75


def _author_names(given: Any, blog: Blog) -> Iterator[str]:
    for one in given if isinstance(given, list) else [given] if given else []:
        word = str(one.get("name") or one.get("key") or "") if isinstance(one, dict) else str(one)
        for name, _ in people_in(word) if word else ():
            yield blog.authors[name].name if name in blog.authors else name


def _words(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        given = given.split(",")
    for one in given if isinstance(given, list) else ():
        yield str(one.get("label") or "") if isinstance(one, dict) else str(one)
