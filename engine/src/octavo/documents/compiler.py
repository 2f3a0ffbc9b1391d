"""`Compiler`: one source to one document."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.config import CONFIG_NAME, Config, Locale, MarkdownFolder, Version, line_of_text, load_variables, site_words
from octavo.content import (
    ContentOptions,
    Dialect,
    Document,
    DrawnCode,
    PostAuthor,
    PostFolder,
    RstSettings,
    Term,
    find_repeated_words,
)
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.api_pages import Descriptions, compile_api_page
from octavo.documents.blog_pages import picture_of
from octavo.documents.files import Files
from octavo.documents.released import ReleasedFiles
from octavo.documents.stubs import find_stubs
from octavo.documents.twins import find_profiles, twin_key
from octavo.errors import ConfigError
from octavo.lazy import regex as re
from octavo.revisions import release_folder
from octavo.runtime import digest, documents_key
from octavo.site import Source, docs_root, is_released, mount_root, pages_root
from octavo.text_files import NotUtf8Error, parse_toml, read_utf8
from octavo.unfit import plain_mistake
from octavo.words import COMPILED_WORDS, LANGUAGE, words_of

if TYPE_CHECKING:
    from octavo.extending import SiteExtensions


class Compiler(msgspec.Struct, frozen=True, eq=False):
    """Everything that a document is made of, apart from its source."""

    site_dir: Path
    options: ContentOptions
    descriptions: Descriptions
    """What the pages of API descriptions are made of; their sources hold the hashes of it."""
    extensions: SiteExtensions | None
    """Extensions of the site; None where it has none."""
    key: str
    """Hash of the tools, of our code and of the options."""
    profiles: Mapping[str, str] = {}
    """Folder of a version's documents → what the settings say of it, see `find_profiles`."""

    @staticmethod
    def of(
        site_dir: Path,
        config: Config,
        descriptions: Descriptions,
        extensions: SiteExtensions | None = None,
        react: frozenset[str] = frozenset(),
        slots: frozenset[str] = frozenset(),
    ) -> Compiler:
        """Make the compiler of a site as its settings and its components folder are now; `react` names those in React.

        `slots` names what of articles the site draws itself.
        """
        options = msgspec.structs.replace(_content_options(site_dir, config, extensions, react), slots=slots)
        profiles = find_profiles(_version_roots(config), options)
        return Compiler(site_dir, options, descriptions, extensions, _key(options), profiles)

    def files(self) -> Files:
        """Read the site's files as they are now; knows of what else documents depend on."""
        return Files(self.site_dir, self.extensions.inputs if self.extensions else {})

    def with_stubs(self, names: Iterable[str]) -> Compiler:
        """Give the compiler of a site that has stubs of these components as well; their files need not be there."""
        found = frozenset(names)
        options = msgspec.structs.replace(
            self.options, components=self.options.components | found, stubs=self.options.stubs | found
        )
        return msgspec.structs.replace(self, options=options, key=_key(options))

    def source_key(self, source: Source) -> str:
        """Hash a source and what compiles it; twins have the same hash.

        Raises:
            OSError: its file cannot be read.
        """
        if source.data is not None:
            return digest(self.key, source.path, source.data)
        with open(f"{self.site_dir}/{source.path}", "rb") as file:  # noqa: PTH123 - for every page of the site
            content = file.read()
        return digest(self.key, twin_key(source, content, self.profiles) if self.profiles else source.path, content)

    def compile(self, source: Source, files: Files, drawn_code: Mapping[str, DrawnCode]) -> Document:
        """Compile one source.

        Args:
            source: The source.
            files: Reads it, and what it names.
            drawn_code: Blocks of code that need not be highlighted again.
        """
        # Not at the top: a rebuild in which nothing has changed does without the compiler.
        from octavo.content.compile import compile_document

        if source.data is not None and source.maker == "openapi":
            return compile_api_page(source, self.descriptions, files.read, self.options, self.extensions)
        if source.data is not None and source.maker in ("extension", "blog", "changes"):
            return compile_document(
                source.data.decode(),
                source_path=source.path,
                load=files.read,
                options=self.options,
                drawn_code=drawn_code,
                extender=self.extensions,
            )
        if source.data is not None:
            from octavo.reference.command_line import CommandPage, compile_command

            page = msgspec.msgpack.decode(source.data, type=CommandPage)
            return compile_command(page, source_path=source.path, options=self.options)
        above = self.options.dialect_of(source.path).files_above
        released = (
            ReleasedFiles(files, source.path, above, self.options.components_dir)
            if release_folder(source.path)
            else None
        )
        document = compile_document(
            files.read_source(source.path),
            source_path=source.path,
            load=released.read if released else lambda path: files.read(path, above),
            options=self.options,
            drawn_code=drawn_code,
            extender=self.extensions,
        )
        return released.with_places(document) if released else document

    def compile_typed(self, path: str, text: str) -> Document:
        """Compile text that somebody has typed, as if it were the source at a path.

        No file is read but those of the site's components: the text may come from anybody. So partials are findings, and
        extensions, which can read files, are not called; their directives stay text.

        Args:
            path: Path from the site's folder, whose dialect the text is in.
            text: The text, front matter included.
        """
        from octavo.content.compile import compile_document

        options = msgspec.structs.replace(
            self.options, directives=frozenset(), fences=frozenset(), fields=frozenset(), has_transforms=False
        )
        components = {f"{options.components_dir}/{name}.mdx" for name in options.components}
        files = Files(self.site_dir)
        return compile_document(
            text,
            source_path=path,
            load=lambda wanted: files.read(wanted) if wanted in components else None,
            options=options,
        )


def _words(config: Config) -> dict[str, dict[str, str]]:
    """Give the folders of each language the words that the compiler writes; folders in plain English need none."""
    english = _compiled_words(words_of("en"), "en")
    found = {"": _compiled_words(site_words(config, config.default_locale.id), config.default_locale.id)}
    for version in config.versions:
        for locale in config.locales[1:]:
            words = _compiled_words(site_words(config, locale.id), locale.id)
            for one, first in zip(
                _folders(config, locale, version), _folders(config, config.default_locale, version), strict=True
            ):
                if one != first:
                    found[one] = words
    return {folder: words for folder, words in found.items() if folder or words != english}


def _originals(config: Config) -> dict[str, str]:
    """Folder of translations → folder of their originals; those that lie beside their originals have none."""
    first = config.default_locale
    return {
        one: original
        for version in config.versions
        for locale in config.locales[1:]
        for one, original in zip(_folders(config, locale, version), _folders(config, first, version), strict=True)
        if one != original
    }


def _folders(config: Config, locale: Locale, version: Version) -> list[str]:
    mounts = [mount_root(config, locale, folder) for folder in config.mounts]
    return [docs_root(config, locale, version), pages_root(config, locale), *mounts]


def _compiled_words(words: Mapping[str, str], language: str) -> dict[str, str]:
    # No others: documents need not be compiled again because of a word of the search dialog.
    return {key: word for key, word in words.items() if key.startswith(COMPILED_WORDS)} | {LANGUAGE: language}


def _key(options: ContentOptions) -> str:
    # In order: the members of sets are encoded in another order in each process otherwise.
    return digest(documents_key(), msgspec.json.encode(options, order="deterministic"))


def _load_glossary(site_dir: Path, name: str) -> dict[str, str | Term]:
    """Read the terms of a site.

    Raises:
        ConfigError: the file is missing, holds something else, or has two terms for one word.
    """
    import tomllib

    path, text = site_dir / name, ""

    def error(message: str, line: int, column: int = 1, file: str = name) -> ConfigError:
        finding = Diagnostic("config-error", "error", Span(file, line, column), f"glossary: {message}")
        return ConfigError(f"{file}:{line}:{column}: glossary: {message}", [finding])

    try:
        text = read_utf8(path)
        raw = parse_toml(text, refuses_nul=True)
    except NotUtf8Error as problem:
        raise ConfigError(
            f"{name}:{problem.line}:{problem.column}: {problem}",
            [Diagnostic("config-error", "error", Span(name, problem.line, problem.column), str(problem))],
        ) from problem
    except OSError as problem:
        settings = site_dir / CONFIG_NAME
        line = line_of_text(settings.read_text("utf-8", "replace"), name) if settings.is_file() else 1
        raise error(f"{name} cannot be read: {problem.strerror}.", line, file=CONFIG_NAME) from problem
    except tomllib.TOMLDecodeError as problem:
        place = re.search(r"at line (\d+), column (\d+)", str(problem))
        line, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, 1)
        raise error(f"this is not valid TOML: {problem}. Quote terms that have spaces.", line, column) from problem
    terms: dict[str, str | Term] = {}
    for word, value in raw.items():
        try:
            terms[word] = msgspec.convert(value, str | Term)
        except msgspec.ValidationError as problem:
            message = (
                f'"{word}" must be a line such as MCP = "Model Context Protocol", or a table such as ["mux rule"] '
                f"with definition, also, href, folders and is_marked: {plain_mistake(problem)}."
            )
            raise error(message, line_of_text(text, word)) from problem
    for word, term in terms.items():
        if not (term if isinstance(term, str) else term.definition).strip():
            raise error(f'nothing is said about "{word}"; write what it means.', line_of_text(text, word))
    for word, first, second in find_repeated_words(terms):
        message = f'"{word}" is explained twice: as "{first}" and as "{second}". Leave one out.'
        raise error(message, line_of_text(text, second))
    return terms


def _version_roots(config: Config) -> list[str]:
    return [docs_root(config, locale, version) for version in config.versions for locale in config.locales]


def _posts(site_dir: Path, config: Config) -> list[PostFolder]:
    """List the folders of posts, of all languages and versions."""
    locales = config.locales or [config.default_locale]
    roots = dict.fromkeys(
        docs_root(config, locale, version) for locale in locales for version in config.versions or [config.last_version]
    )
    folders = {
        blog.folder: [mount_root(config, locale, blog.folder) for locale in locales]
        if blog.folder in config.mounts
        else [posixpath.normpath(f"{root}/{blog.folder}") for root in roots]
        for blog in config.blogs
    }
    return [
        PostFolder(
            folder,
            {
                word: PostAuthor(one.name, one.url or "", one.title, picture_of(one, site_dir, config))
                for word, one in blog.authors.items()
            },
            blog.words_per_minute,
        )
        for blog in config.blogs
        for folder in dict.fromkeys(folders[blog.folder])
    ]


def _names_in_releases(site_dir: Path, config: Config) -> dict[str, dict[str, list[str]]]:
    """List the documents of each release, and the files among them, by name: folder of the release → name → paths."""
    found: dict[str, dict[str, list[str]]] = {}
    for root in dict.fromkeys(_release_roots(config)):
        known = found.setdefault(release_folder(root), {})
        for name, paths in _names(site_dir, root).items():
            known.setdefault(name, []).extend(paths)
    return found


def _names(site_dir: Path, root: str) -> dict[str, list[str]]:
    """List the files below a folder of the site by name."""
    found: dict[str, list[str]] = {}
    for folder, folders, files in os.walk(site_dir / root):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in ("node_modules", "build")
        )
        where = "" if (where := Path(folder).relative_to(site_dir).as_posix()) == "." else f"{where}/"
        for name in sorted(files):
            found.setdefault(name.lower(), []).append(where + name)
    return {name: sorted(paths, key=lambda path: (path.count("/"), path)) for name, paths in found.items()}


_MARKS = 4


def _content_options(
    site_dir: Path, config: Config, extensions: SiteExtensions | None, react: frozenset[str]
) -> ContentOptions:
    """Gather the compiler's options from the configuration and the components folder."""
    folder = site_dir / config.components
    names = sorted(path.stem for path in folder.glob("[A-Z]*.mdx")) if folder.is_dir() else []
    folders = {folder: _dialect(given) for folder, given in config.markdown_folders.items()}
    has_names = any("obsidian" in one.extensions for one in config.markdown_folders.values())
    return ContentOptions(
        magic_comments=config.magic_comments,
        components=react.union(names),
        react=react,
        stubs=frozenset(find_stubs(folder)),
        components_dir=config.components,
        variables=load_variables(site_dir, config),
        glossary=_terms_in_releases(_load_glossary(site_dir, config.glossary), config) if config.glossary else {},
        glossary_file=config.glossary or "",
        words=_words(config),
        suffix_words={
            locale.suffix: _compiled_words(site_words(config, locale.id), locale.id)
            for locale in config.locales
            if locale.suffix
        },
        originals=_originals(config),
        directives=extensions.directives if extensions else frozenset(),
        fences=extensions.fences if extensions else frozenset(),
        fields=extensions.fields if extensions else frozenset(),
        posts=_posts(site_dir, config),
        names=_names(site_dir, ".") if has_names else {},
        names_in_releases=_names_in_releases(site_dir, config) if has_names else {},
        has_transforms=extensions is not None and extensions.has_transforms,
        extensions=extensions.key if extensions else "",
        folders=folders | _dialects_in_releases(folders, config),
    )


def _dialect(given: MarkdownFolder) -> Dialect:
    return Dialect(
        is_mdx=given.dialect == "mdx",
        extensions=frozenset(given.extensions),
        files_above=given.files_above,
        snippet_folders=tuple(given.snippets or ["."]),
        aliases=given.aliases,
        shortcodes=tuple(given.shortcodes),
        variables=given.variables,
        formula_macros=given.formula_macros,
        macro_marks=tuple(given.macro_marks) if len(given.macro_marks) == _MARKS else (),
        references=given.references,
        containers=dict(given.containers),
        appended=tuple(given.append),
        repository=given.repository.rstrip("/"),
        slugs=given.slugs,
        tab_ids=given.tab_ids,
        rst=RstSettings(**msgspec.structs.asdict(given.rst)),
    )


def _dialects_in_releases(folders: Mapping[str, Dialect], config: Config) -> dict[str, Dialect]:
    """Give the folders of releases the dialects of today's folders of documents, and snippets of their own."""
    around = max((one for one in folders if _is_around(one, config.docs)), key=len, default=None)
    found: dict[str, Dialect] = {}
    for root in _release_roots(config):
        places = {root: folders[around]} if around is not None else {}
        places |= {
            _moved(one, config.docs, root): dialect for one, dialect in folders.items() if _is_below(one, config.docs)
        }
        for place, dialect in places.items():
            own = [_moved(one, config.docs, root) for one in dialect.snippet_folders if _is_below(one, config.docs)]
            found[place] = msgspec.structs.replace(
                dialect, snippet_folders=tuple(dict.fromkeys([*own, *dialect.snippet_folders]))
            )
        if around == "" and found[root] == folders[""]:
            del found[root]  # as every other document; with each entry more, each page is compiled again
    return found


def _terms_in_releases(terms: dict[str, str | Term], config: Config) -> dict[str, str | Term]:
    """Let terms that hold for some of today's folders hold for these folders in releases."""
    roots = _release_roots(config)
    return {
        word: term
        if isinstance(term, str)
        else msgspec.structs.replace(
            term,
            folders=[
                *term.folders,
                *(
                    _moved(one, config.docs, root)
                    for root in roots
                    for one in term.folders
                    if _is_below(one, config.docs)
                ),
            ],
        )
        for word, term in terms.items()
    }


def _release_roots(config: Config) -> list[str]:
    return [
        docs_root(config, locale, version)
        for version in config.versions
        if is_released(version)
        for locale in config.locales or [config.default_locale]
    ]


def _is_around(folder: str, docs: str) -> bool:
    return not folder or docs == folder or docs.startswith(f"{folder}/")


def _is_below(path: str, docs: str) -> bool:
    return path.rstrip("/") == docs or path.startswith(f"{docs}/")


def _moved(path: str, docs: str, root: str) -> str:
    return root + path.rstrip("/")[len(docs) :]
