"""Settings of another engine that record which of their keys were read, so that the report can name the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values

_DEEPEST = 60
_OF_THE_PROGRAM = {
    "docusaurus": (
        "$*", "*.$*", "baseUrlIssueBanner", "customFields*", "deploymentBranch", "future*", "githubHost",
        "githubPort", "i18n.path", "markdown.hooks*", "onBroken*", "onDuplicateRoutes", "organizationName", "projectName",
        "storage*", "themes", "webpack", "*.sidebarCollapsible", "*.sidebarItemsGenerator", "themeConfig.prism.theme",
        "themeConfig.prism.darkTheme", "themeConfig.prism.additionalLanguages*", "*.className", "*.activeBaseRegex",
        "*.activeBasePath",
    ),
    "mkdocs": ("dev_addr", "remote_name", "remote_branch", "site_dir", "strict", "validation*", "watch*", "theme.name", "theme.features*"),
    "starlight": ("$*", "*.$*", "adapter*", "build*", "compressHTML", "devToolbar*", "experimental*", "image*", "legacy*", "output", "prefetch*", "server*", "vite*", "cacheDir", "outDir", "publicDir", "srcDir", "scopedStyleStrategy"),
    "vitepress": ("$*", "*.$*", "cacheDir", "extends*", "ignoreDeadLinks*", "metaChunk", "mpa", "outDir", "vite*", "vue*", "*.items[].activeMatch", "*.activeMatch"),
    "vuepress": ("$*", "*.$*", "bundler*", "cache", "clientConfigFile", "dest", "evergreen", "host", "open", "pagePatterns*", "port", "public", "temp", "templateBuild", "templateDev"),
    "mdbook": ("build*", "rust*", "book.src", "output.linkcheck*", "preprocessor*", "output.html.playground*"),
    "hugo": ("build*", "caches*", "deployment*", "environment", "module.[!m]*", "minify*", "theme", "themesDir", "timeout", "enableGitInfo", "sectionPagesMenu", "security*", "services*", "publishDir", "resourceDir", "ignoreErrors", "ignoreLogs", "enableRobotsTXT"),
    "jekyll": ("host", "incremental", "keep_files", "livereload", "port", "profile", "quiet", "sass*", "show_drafts", "strict_front_matter", "verbose", "version", "watch", "markdown", "kramdown*", "highlighter", "compress_html*", "include*", "encoding", "theme", "remote_theme", "destination"),
    "mintlify": ("$schema", "theme"),
    "gitbook": ("$schema", "gitbook", "title"),
    "retype": ("cache*", "cname", "editor*", "generator*", "include*", "poweredByRetype", "search*", "serve*", "snippets*", "templating*", "input", "output"),
    "sphinx": ("extensions", "master_doc", "root_doc", "source_suffix*", "needs_sphinx", "nitpick*", "templates_path*", "pygments*", "html_theme", "copyright", "author", "version", "release", "linkcheck*", "suppress_warnings*", "latex*", "man_pages*", "texinfo*", "epub*", "htmlhelp*", "html_static_path*", "autodoc*", "autosummary*", "napoleon*", "autosectionlabel*", "execute*", "parse*", "only_build_toc_files", "project.error_rules*", "project.exports*", "project.jupyter*", "project.kernelspec*", "sphinx.extra_extensions*", "sphinx.config.latex*", "sphinx.config.linkcheck*",
               "sphinx.config.nb_*", "sphinx.config.suppress_warnings*", "site.domains*", "site.template"),
}  # fmt: skip
"""Engine → settings that concern its program, its machines or other outputs, and nothing that readers see."""


class Watched(dict[str, Any]):
    """A table of settings that records which of its keys were read; so do the tables in it."""

    def __init__(self, values: Mapping[Any, Any], depth: int = 0) -> None:
        """Initialize; the values are copied."""
        super().__init__({str(key): _watch(value, depth + 1) for key, value in values.items()})
        self.read_keys: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.read_keys.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.read_keys.add(str(key))
        return super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        self.read_keys.update(super().keys())
        return super().__iter__()

    def get(self, key: str, default: Any = None) -> Any:
        """Give a value."""
        self.read_keys.add(key)
        return super().get(key, default)

    def keys(self) -> dict_keys[str, Any]:
        """Give all keys, which records each of them as read."""
        self.read_keys.update(super().keys())
        return super().keys()

    def values(self) -> dict_values[str, Any]:
        """Give all values, which records each key as read."""
        self.read_keys.update(super().keys())
        return super().values()

    def items(self) -> dict_items[str, Any]:
        """Give all pairs, which records each key as read."""
        self.read_keys.update(super().keys())
        return super().items()


def _watch(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        return value
    if isinstance(value, Mapping):
        return Watched(value, depth)
    if isinstance(value, list):
        return [_watch(one, depth + 1) for one in value]
    return value


def plain(value: Any) -> Any:
    """Give settings as plain values, without recording them as read."""
    if isinstance(value, Watched):
        return {key: plain(one) for key, one in dict.items(value)}
    return [plain(one) for one in value] if isinstance(value, list) else value


def layered(*tables: Mapping[str, Any]) -> dict[str, Any]:
    """Put tables over each other, the last one on top; a key that is read counts as read in each of them."""
    return _Layers(tables)


class _Layers(Watched):
    def __init__(self, tables: tuple[Mapping[str, Any], ...]) -> None:
        super().__init__({})
        self._tables = tables
        for one in tables:
            dict.update(self, dict.items(one) if isinstance(one, dict) else one)

    def __getitem__(self, key: str) -> Any:
        self._record(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._record(key)
        return super().get(key, default)

    def _record(self, key: str) -> None:
        for one in self._tables:
            one.get(key)


def unread(settings: Watched, engine: str) -> list[str]:
    """List the settings that were never read and have a value; those of the old program alone are left out.

    Args:
        settings: What was read of the old site.
        engine: Its engine.

    Returns:
        Keys with dots; those of tables in a list are joined by `[].`.
    """
    patterns = _OF_THE_PROGRAM.get(engine, ())
    found = (key for key in _unread(settings, "") if not any(fnmatchcase(key.lower(), one.lower()) for one in patterns))
    return sorted(dict.fromkeys(found))


def _unread(settings: Watched, prefix: str) -> Iterator[str]:
    for key, value in dict.items(settings):
        name = f"{prefix}{key}"
        if key not in settings.read_keys:
            if value not in (None, "", [], {}):
                yield name
        elif isinstance(value, Watched):
            yield from _unread(value, f"{name}.") if value.read_keys else ()
        elif isinstance(value, list):
            for one in value:
                yield from _unread(one, f"{name}[].") if isinstance(one, Watched) and one.read_keys else ()
