"""Which engine a folder was written for, by the files that only that engine has."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from octavo.errors import UsageError
from octavo.importing.model import EngineName, Recognized
from octavo.lazy import regex as re
from octavo.site import PAGE_SUFFIXES

_HOMES = (
    ".",
    "website",
    "docs",
    "documentation",
    "doc",
    "site",
    "www",
    "book",
    "guide",
    "src/doc",
    "packages/docs",
    "apps/docs",
    "apps/website",
    "docs/en",
)
"""Folders in which projects keep their site, the likeliest first."""

_NEXT = tuple(f"next.config.{end}" for end in ("js", "ts", "mjs", "mts", "cjs"))
_FILES: dict[EngineName, tuple[str, ...]] = {
    "docusaurus": tuple(f"docusaurus.config.{end}" for end in ("js", "ts", "mjs", "cjs", "mts")),
    "starlight": tuple(f"astro.config.{end}" for end in ("mjs", "ts", "js", "mts")),
    "vitepress": tuple(
        f".vitepress/config{name}.{end}" for name in ("", "/index") for end in ("ts", "mts", "js", "mjs", "cjs")
    ),
    "vuepress": tuple(
        f".vuepress/config{name}.{end}" for name in ("", "/index") for end in ("ts", "mts", "js", "mjs", "cjs", "yml")
    ),
    "docsify": ("index.html",),
    "docfx": ("docfx.json",),
    "nextra": _NEXT,
    # Its settings beside those of Next.js; other frameworks have theirs alone.
    "fumadocs": (*_NEXT, "source.config.ts", "source.config.mts", "source.config.js"),
    "rspress": (*(f"rspress.config.{end}" for end in ("ts", "js", "mts", "mjs", "cjs")), "rstack.config.ts"),
    "vocs": tuple(f"vocs.config.{end}" for end in ("ts", "tsx", "js", "jsx", "mts", "mjs")),
    "mkdocs": ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "zensical.toml", "zensical.yml", "zensical.yaml"),
    "mdbook": ("book.toml",),
    "hugo": (
        "hugo.toml",
        "hugo.yaml",
        "hugo.yml",
        "hugo.json",
        "config.toml",
        "config.yaml",
        "config.yml",
        "config/_default/hugo.toml",
        "config/_default/config.toml",
        "config/_default/config.yaml",
        "config/_default/hugo.yaml",
    ),
    "sphinx": ("conf.py", "source/conf.py", "myst.yml", "_config.yml"),
    "jekyll": ("_config.yml", "_config.yaml"),
    "hexo": ("_config.yml",),
    "mintlify": ("docs.json", "mint.json"),
    "gitbook": ("SUMMARY.md", ".gitbook.yaml", "book.json", "LANGS.md"),
    "zola": ("config.toml", "zola.toml"),
    "eleventy": (".eleventy.js", *(f"eleventy.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts"))),
    "nuxt": (
        *(f"nuxt.config.{end}" for end in ("ts", "js", "mjs")),
        *(f".config/docs.{end}" for end in ("yaml", "yml", "json")),
    ),
    "retype": ("retype.yml", "retype.yaml", "retype.json"),
    "obsidian": (
        *(f"quartz.config.{end}" for end in ("ts", "yaml", "yml")),
        *(f".obsidian/{name}.json" for name in ("app", "appearance", "core-plugins", "workspace")),
    ),
}


_MOST_ABOVE = 4
"""Folders above one that is imported in which its configuration is looked for."""


def recognize(folder: Path, engine: EngineName | None = None) -> Recognized:
    """Find out which engine a folder was written for.

    Args:
        folder: The project, or the folder of its site.
        engine: What the caller says it is; only its own files are looked for then.

    Raises:
        UsageError: the folder is missing, or its files speak for several engines.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.")
    folder = folder.resolve()
    if engine == "plain":
        return Recognized("plain", folder, None, "--engine says so.")
    weak: Recognized | None = None
    for home in [folder / home for home in _HOMES]:
        found = [one for one in _candidates(home) if engine is None or one.engine == engine]
        engines = sorted({one.engine for one in found})
        # A SUMMARY.md is found beside a book.toml as well; it belongs to the book.
        if len(engines) > 1:
            listed = ", ".join(f"{one.engine} ({one.config.name if one.config else ''})" for one in found)
            raise UsageError(f"{home} contains files of several engines: {listed}. Choose one with --engine.")
        if found and found[0].engine not in _WEAK:
            return found[0]
        weak = weak or next(iter(found), None)
    # Deeper than where sites usually lie: the site with the most pages.
    deep = [one for home in _deep_homes(folder) for one in _candidates(home) if engine in (None, one.engine)]
    deep = [one for one in deep if one.engine not in _WEAK]
    if deep and (weak is None or engine is None):
        return max(deep, key=lambda one: (_count_pages(one.home), -len(one.home.parts)))
    if weak is not None:
        return weak
    if engine is not None:
        names = _FILES[engine]
        expected = ", ".join(names[:_FEW_NAMES]) + (" and its other names" if len(names) > _FEW_NAMES else "")
        raise UsageError(
            f"{folder} contains no {engine} site: neither it nor the usual folders of sites contain {expected}."
            f"{_looks_like(folder)}"
        )
    if not any(folder.rglob("*.md")) and not any(folder.rglob("*.mdx")):
        raise UsageError(
            f"{folder} contains no Markdown files and no configuration of a known engine."
            f"{_unknown(folder)}{_other_markup(folder)}"
        )
    pages, found_endings = _count_pages(folder), _endings(folder)
    for endings, name in _OTHER_MARKUP.items():
        count = sum(found_endings[ending] for ending in endings)
        if count > _MANY_TIMES * pages and ".html" not in endings and ".rst" not in endings:
            raise UsageError(
                f"{folder} holds {count} {name}, which are not read, and only {pages} in Markdown.{_unknown(folder)} "
                "Convert them to Markdown first; --engine plain imports what is in Markdown alone."
            )
    return Recognized("plain", folder, None, "it contains Markdown files and no configuration of a known engine.")


def _looks_like(folder: Path) -> str:
    """Say what a folder holds, where it is not what the caller said."""
    try:
        found = recognize(folder)
    except UsageError:
        return ""
    return (
        f" It looks like a {found.engine} site: {found.reason} Leave --engine out, or say {found.engine}."
        if found.config
        else ""
    )


def unknown_engine(folder: Path) -> tuple[str, Path] | None:
    """Name the engine that a folder was written for, where it is none of those that are known, and its settings."""
    for home in [folder / home for home in _HOMES]:
        for engine, names in _UNKNOWN.items():
            if found := next((home / name for name in names if (home / name).is_file()), None):
                return engine, found
    return None


def _unknown(folder: Path) -> str:
    found = unknown_engine(folder)
    return f" It is a site of {found[0]} ({found[1].name}), which is not known." if found else ""


def _other_markup(folder: Path) -> str:
    found = _endings(folder)
    for endings, name in _OTHER_MARKUP.items():
        if count := sum(found[ending] for ending in endings):
            if ".rst" in endings:
                without = "which are not read without the conf.py of Sphinx: import the folder that holds it"
                return f" It holds {count} {name}, {without}, or convert them to Markdown first."
            return f" It holds {count} {name}, which are not read: convert them to Markdown first."
    return ""


def _endings(folder: Path) -> Counter[str]:
    """Count the files of a folder by their endings, those of packages left out."""
    found: Counter[str] = Counter()
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("node_modules", ".git")]
        found.update(Path(name).suffix for name in files)
    return found


def other_sites(folder: Path, found: Recognized) -> list[Recognized]:
    """List the sites in the usual folders of a project that are not imported, but for those without an engine of their own."""
    homes = [folder.resolve() / home for home in _HOMES]
    others = (one for home in homes for one in _candidates(home) if one.engine not in _WEAK)
    return [one for one in others if not one.home.samefile(found.home)]


_OTHER_MARKUP = {
    (".rst",): "files in reStructuredText",
    (".adoc", ".asciidoc"): "files in AsciiDoc",
    (".org",): "files in Org",
    (".qmd", ".rmd", ".Rmd"): "files in Quarto or R Markdown",
    (".textile",): "files in Textile",
    (".html", ".htm"): "HTML files",
}
_UNKNOWN = {
    "Antora": ("antora.yml", "antora-playbook.yml"),
    "bookdown": ("_bookdown.yml",),
    "Doctave": ("doctave.yaml",),
    "Doxygen": ("Doxyfile",),
    "Gatsby": ("gatsby-config.js", "gatsby-config.ts", "gatsby-config.mjs"),
    "Gridsome": ("gridsome.config.js",),
    "Lume": ("_config.ts",),
    "Metalsmith": ("metalsmith.json",),
    "Pelican": ("pelicanconf.py",),
    "Quarto": ("_quarto.yml", "_quarto.yaml"),
    "Redocly": ("redocly.yaml",),
    "Rocket": ("rocket.config.mjs", "rocket.config.js"),
    "Writerside": ("writerside.cfg",),
}
"""Engines that are not known → the files of their settings."""
_MANY_TIMES = 5
"""So many times as many files in another markup than in Markdown make a site of that."""
_WEAK = ("gitbook", "obsidian")
"""Engines whose files are found beside others: a `SUMMARY.md` may be a list of anything, and any folder is edited with Obsidian."""
_NO_HOMES = frozenset(
    [
        "node_modules",
        "test",
        "tests",
        "__tests__",
        "fixtures",
        "__fixtures__",
        "template",
        "templates",
        "examples",
        "e2e",
        "_book",
        "_build",
        "_site",
    ]
)
"""Folders whose sites are material for tests, patterns for other sites, or what was built."""
_FEW_NAMES = 3
_DEEPEST = 5
_MOST_FOLDERS = 5000
_MOST_PAGES_READ = 100


def site_above(folder: Path) -> Recognized | None:
    """Find the site of an engine, in a folder above within the repository, of which a folder is a part."""
    folder = folder.resolve()
    for home in list(folder.parents)[:_MOST_ABOVE]:
        found = [one for one in _candidates(home) if one.engine not in _WEAK]
        if found:
            return found[0]
        if (home / ".git").exists():
            break
    return None


def _deep_homes(folder: Path) -> Iterator[Path]:
    """List the folders below those in which sites usually lie, level by level."""
    level = [folder]
    seen = 0
    for _ in range(_DEEPEST):
        below: list[Path] = []
        for parent in level:
            try:
                children = sorted(path for path in parent.iterdir() if path.is_dir() and not path.is_symlink())
            except OSError:
                continue
            below += [path for path in children if path.name not in _NO_HOMES and not path.name.startswith(".")]
        seen += len(below)
        if seen > _MOST_FOLDERS:
            return
        yield from below
        level = below


def _count_pages(home: Path) -> int:
    return sum(1 for path in home.rglob("*.*") if path.suffix in PAGE_SUFFIXES and "node_modules" not in path.parts)


def _variants(home: Path, engine: EngineName, names: tuple[str, ...]) -> list[str]:
    """List the names of an engine's configuration, and those under which projects keep several of them."""
    if engine != "mkdocs" or any((home / name).is_file() for name in names):
        return list(names)
    # The one that inherits from the others is the whole; it is the one that names an address or a title.
    found = sorted(
        (path for path in home.glob("mkdocs*.yml") if path.is_file()),
        key=lambda path: ("INHERIT" not in _read(path), "offline" in path.name),
    )
    return [path.name for path in found]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def _candidates(home: Path) -> Iterator[Recognized]:
    taken = False
    for engine, names in _FILES.items():
        for name in _variants(home, engine, names):
            path = home / name
            if path.is_file() and _is_of(engine, path) and not (engine == "gitbook" and taken):
                taken = True
                shown = path.relative_to(home)
                base = path.parent if engine == "sphinx" else home
                yield Recognized(engine, base, path, f"{home.name} holds {shown}, the configuration of {engine}.")
                break


def _is_of(engine: EngineName, path: Path) -> bool:
    """Look into files whose name alone does not decide."""
    text = _read(path) if engine in ("starlight", "hugo", "sphinx", "jekyll", "mintlify", "docsify") else ""
    if engine in ("nextra", "fumadocs"):
        return _is_of_next(engine, path)
    if engine == "rspress":
        return path.name != "rstack.config.ts" or "define.doc" in _read(path)
    if engine in ("hexo", "jekyll") and (engine == "hexo") != _needs_hexo(path.parent):
        return False
    if engine == "jekyll":
        return not (path.parent / "_toc.yml").is_file() and not (path.parent / "conf.py").is_file()
    if engine == "mintlify":
        return re.search(r'"navigation"\s*:', text) is not None
    if engine == "zola":
        return _is_of_zola(path)
    if engine == "nuxt" and path.parent.name == ".config":
        return "undocs" in _read(path.parents[1] / "package.json") + _read(path)
    if engine == "nuxt":
        return any((path.parent / "content").rglob("*.md"))
    if engine == "docsify":
        return "$docsify" in text
    if path.name in ("book.json", "LANGS.md"):
        return any(next(path.parent.glob(f"{below}SUMMARY.md"), None) is not None for below in ("", "*/", "*/*/"))
    if engine == "starlight":
        return "starlight" in text or _draws_documents(path.parent)
    if engine == "hugo":
        home = path.parents[2] if path.parent.name == "_default" else path.parent
        # A theme has a hugo.toml as well, but nothing to show.
        has_content = any(one.is_dir() for one in home.glob("content*")) or "contentdir" in text.lower()
        return (
            has_content
            and not _is_of_zola(path)
            and (
                path.name.startswith("hugo.")
                or re.search(r"baseURL|languageCode|\btheme\b|\[module\]", text, re.IGNORECASE) is not None
            )
        )
    if engine == "sphinx" and path.name == "_config.yml":  # of Jupyter Book 1; Jekyll's has the same name
        return (path.parent / "_toc.yml").is_file()
    if engine == "sphinx" and path.suffix == ".yml":
        return True
    if engine == "sphinx":
        if re.search(r"^\s*extensions\s*(?:\+?=)|sphinx", text, re.MULTILINE):
            return True
        # One that takes all its settings from another module is known by the pages beside it.
        beside = [*path.parent.glob("*.rst"), *path.parent.glob("*.md")][:_MOST_PAGES_READ]
        return bool(text) and any("toctree" in _read(one) for one in beside)
    return True


def _draws_documents(home: Path) -> bool:
    """Whether a page of a site of Astro itself draws the documents that Starlight would: the same folder, without the integration."""
    pages = (path for path in home.glob("src/pages/**/*.astro") if path.name.startswith("[..."))
    has_documents = (home / "src/content/docs").is_dir()
    return has_documents and any(COLLECTION_OF_DOCUMENTS.search(_read(path)) for path in pages)


COLLECTION_OF_DOCUMENTS = re.compile(r"""getCollection\(\s*["']docs["']""")


def _needs_hexo(home: Path) -> bool:
    """Tell Hexo from Jekyll, whose settings have the same name."""
    return re.search(r'"hexo"\s*:', _read(home / "package.json")) is not None


def _is_of_zola(path: Path) -> bool:
    text = _read(path)
    return re.search(r"^base_url\s*=", text, re.MULTILINE) is not None and (path.parent / "content").is_dir()


def _is_of_next(engine: EngineName, path: Path) -> bool:
    """Tell the two themes of Next.js apart by what the site depends on, or by the files that order its pages."""
    home = path.parent
    package = _read(home / "package.json") if (home / "package.json").is_file() else ""
    # Sites that have moved to another engine leave the file of their settings behind.
    if package and not re.search(r'"(?:next|nextra|fumadocs-[\w-]+|@next/[\w-]+)"\s*:', package):
        return False
    said = _read(path) + package
    is_fumadocs = "fumadocs" in said
    if engine == "fumadocs":
        return is_fumadocs
    folders = ("content", "src/content", "pages", "src/pages", "app", "src/app")
    if is_fumadocs:
        return False
    if "nextra" in said or any(any((home / name).glob("**/_meta.*")) for name in folders):
        return True
    # Pages of Next.js itself: the same folders and addresses, without files that order them.
    return "@next/mdx" in said and any(any((home / name).glob("**/*.mdx")) for name in folders)
