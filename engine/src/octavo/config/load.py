"""How `octavo.toml` is read. A mistake becomes one `ConfigError` with the file, the line and what was expected."""

from __future__ import annotations

import os
import posixpath
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from octavo.addresses import explain_base_url, explain_site_url
from octavo.config.blogs import tidy_blog
from octavo.config.environment import fill_in
from octavo.config.head import check_head
from octavo.config.markdown import tidy_markdown
from octavo.config.mistakes import (
    all_mistakes,
    explain_syntax,
    line_of_key,
    line_of_text,
    line_of_value,
    read_settings,
)
from octavo.config.programs import check_programs
from octavo.config.redirects import explain_redirect
from octavo.config.references import check_apis, tidy_api, tidy_commands
from octavo.config.schema import CONFIG_NAME, Config, Locale, SidebarEntry
from octavo.config.search_rules import SEARCH_RULES_NAME, SearchRules, load_search_rules
from octavo.config.server import check_search, check_search_engine, check_server
from octavo.config.theme import check_theme, tidy_theme
from octavo.config.variables import check_variables, fill_settings
from octavo.config.versions import resolve_versions, tidy_versions
from octavo.config.words import check_labels, check_words
from octavo.errors import ConfigError
from octavo.lazy import regex as re
from octavo.text_files import NotUtf8Error, parse_toml, read_utf8

_MOST_NAMED = 3
"""Sites that a message lists."""


def load_config(site_dir: Path, given: Mapping[str, str] | None = None, *, reads_versions: bool = True) -> Config:
    """Read and check `octavo.toml` of a site.

    Args:
        site_dir: The site's folder.
        given: Settings of the file's top level that the command line gives instead.
        reads_versions: Read the versions that are tags or branches, for which the repository must be there.

    Returns:
        The settings, with the rules of `search.toml` where there is one.

    Raises:
        ConfigError: the file is missing, is not TOML, or holds something that is not allowed.
    """
    path = site_dir / CONFIG_NAME
    try:
        text = read_utf8(path)
    except FileNotFoundError:
        near = " or ".join(map(str, _find_sites_near(site_dir)))
        remedy = (
            f"Name {near}, which contains one."
            if near
            else f"Name a folder that contains an {CONFIG_NAME}, or create one with `octavo new {site_dir}`."
        )
        raise ConfigError(f"{path} does not exist. {remedy}") from None
    except NotUtf8Error as error:
        raise ConfigError(f"{path}:{error.line}:{error.column}: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        config = parse_config(text, name=str(path), given=given, site_dir=site_dir)
    except ConfigError as error:
        raise _with_mistakes_of_rules(error, site_dir) from error.__cause__
    if reads_versions:
        config = resolve_versions(site_dir, config)
    rules = load_search_rules(site_dir)
    return msgspec.structs.replace(config, search=msgspec.structs.replace(config.search, rules=rules))


def _with_mistakes_of_rules(error: ConfigError, site_dir: Path) -> ConfigError:
    """Add the mistakes of the site's other settings file, so that they need no second build to be seen."""
    try:
        load_search_rules(site_dir)
    except ConfigError as other:
        return ConfigError(f"{error}\n{other}", [*error.findings, *other.findings])
    return error


def _find_sites_near(folder: Path) -> list[Path]:
    """Find the site that contains a folder, or those directly below it if they are few."""
    try:
        above = [one for one in folder.absolute().parents if (one / CONFIG_NAME).is_file()]
        below = sorted(path.parent for path in folder.glob(f"*/{CONFIG_NAME}"))
    except OSError:
        return []
    return above[:1] or (below if len(below) <= _MOST_NAMED else [])


def parse_config(
    text: str,
    *,
    name: str = CONFIG_NAME,
    given: Mapping[str, str] | None = None,
    environment: Mapping[str, str] = os.environ,
    site_dir: Path | None = None,
) -> Config:
    """Parse the text of an `octavo.toml`.

    Args:
        text: The text.
        name: Name of the file in messages.
        given: Settings of the top level that take the place of the file's.
        environment: Variables that values such as `env:SITE_URL` name.
        site_dir: Folder of the data files with variables of the site; None leaves texts that use them as they are.

    Raises:
        ConfigError: it is not TOML, or holds something that is not allowed.
    """
    try:
        raw = parse_toml(text, refuses_nul=True)
    except tomllib.TOMLDecodeError as error:
        raise explain_syntax(str(error), text, name) from error
    raw |= given or {}
    unset = [*fill_in(raw, environment, text), *fill_settings(raw, text, site_dir)]
    raw = tidy_versions(tidy_markdown(raw))
    config, problems, _, incomplete = read_settings(raw, Config, text, defaults={"title": ""})
    problems += unset
    if isinstance(title := raw.get("title"), str) and not title.strip():
        problems.append((line_of_key(text, "title"), "title is empty; it is shown on every page."))
    if config is not None:
        problems += _Checks(config, text, incomplete).problems()
    if problems or config is None:
        raise all_mistakes(problems, text, name)
    levels = raw.get("diagnostics")
    return _tidy(
        msgspec.structs.replace(config, diagnostics=config.diagnostics.with_errors(levels))
        if isinstance(levels, dict)
        else config
    )


_HEAD_SETTING = re.compile(r"\s*(?:\[\[?\s*)?(?:styles|scripts|head)\b")


class _Checks:
    """What types alone can't say."""

    def __init__(self, config: Config, text: str, incomplete: Collection[str]) -> None:
        self._config = config
        self._text = text
        self._incomplete = incomplete
        self._problems: list[tuple[int, str]] = []

    def problems(self) -> list[tuple[int, str]]:
        """Find all mistakes."""
        config = self._config
        self._addresses()
        self._analytics()
        self._pictures()
        self._feedback()
        self._programs()
        self._search()
        self._search_engine()
        self._server()
        self._theme()
        self._head()
        for name, message in check_variables(self._config.variables):
            self._fail(line_of_key(self._text, name, ["variables"]), message)
        if "locales" not in self._incomplete:
            self._words()
            self._unique("locales", [locale.id for locale in config.locales])
        if "versions" not in self._incomplete:
            self._unique("versions", [version.name for version in config.versions])
        self._unique("sidebars", [sidebar.id for sidebar in config.sidebars])
        for version in config.versions:
            self._unique("sidebars", [sidebar.id for sidebar in version.sidebars or []])
        self._unique("blogs", [blog.folder for blog in config.blogs])
        self._unique("announcements", [announcement.id for announcement in config.announcements])
        if not {"locales", "versions"} & {*self._incomplete}:
            self._paths()
        self._versions()
        self._folders()
        self._routing()
        for sidebar in [*config.sidebars, *(one for version in config.versions for one in version.sidebars or [])]:
            self._entries(sidebar.items, sidebar.id)
        for blog in config.blogs:
            if blog.posts_per_page < 1:
                message = f"blogs: posts_per_page is {blog.posts_per_page}; expected 1 or more."
                self._fail(line_of_value(self._text, "posts_per_page", blog.posts_per_page), message)
            if blog.words_per_minute < 0:
                message = f"blogs: words_per_minute is {blog.words_per_minute}; expected 0 or more."
                self._fail(line_of_value(self._text, "words_per_minute", blog.words_per_minute), message)
        self._redirects()
        self._content_policy()
        for folder in config.markdown_folders.values():
            if folder.repository and not re.fullmatch(r"https?://[^/\s\\]+/[^\s\\]+", folder.repository):
                message = f'markdown.repository is "{folder.repository}"; expected an address, such as "https://github.com/owner/name".'
                self._fail(line_of_value(self._text, "repository", folder.repository), message)
        for key, value, message in check_apis(config.openapi):
            self._fail(line_of_value(self._text, key, value), message)
        return self._problems

    def _words(self) -> None:
        for table, check in (("words", check_words), ("labels", check_labels)):
            for locale, key, message in check(self._config):
                self._fail(line_of_key(self._text, key or locale, [table, *([locale] if key else [])]), message)

    def _addresses(self) -> None:
        base_url, url = self._config.base_url, self._config.url
        if mistake := explain_base_url(base_url):
            self._fail(line_of_value(self._text, "base_url", base_url), f'base_url is "{base_url}"; {mistake}.')
        if mistake := explain_site_url(url):
            self._fail(line_of_value(self._text, "url", url), f'url is "{url}"; {mistake}.')

    def _analytics(self) -> None:
        google, endpoint = self._config.analytics.google, self._config.analytics.endpoint
        for identifier in [google] if isinstance(google, str) else google:
            if not re.fullmatch(r"[A-Z]{1,3}-[A-Z0-9-]+", identifier):
                message = f'analytics.google is "{identifier}"; expected a measurement id, such as "G-0123456789".'
                self._fail(line_of_value(self._text, "google", google), message)
        if endpoint is not None and not _is_local(endpoint) and not re.fullmatch(r"https?://[^\s\\]+", endpoint):
            message = f'analytics.endpoint is "{endpoint}"; expected an address, or a path that begins with one slash.'
            self._fail(line_of_value(self._text, "endpoint", endpoint), message)
        script = self._config.analytics.consent_script
        if script is not None and not _is_local(script) and not re.fullmatch(r"https?://[^\s\\]+", script):
            message = (
                f'analytics.consent_script is "{script}"; expected an address, or a path that begins with one slash.'
            )
            self._fail(line_of_value(self._text, "consent_script", script), message)
        if script is not None and not self._config.analytics.needs_consent:
            message = (
                "analytics.consent_script is set, but needs_consent is not; set it to true, or take the script away."
            )
            self._fail(line_of_value(self._text, "consent_script", script), message)

    def _pictures(self) -> None:
        cards, images = self._config.social_cards, self._config.images
        for name in ("background", "color", "accent"):
            if not re.fullmatch(r"#[0-9a-fA-F]{6}", value := getattr(cards, name)):
                message = f'social_cards.{name} is "{value}"; expected a color such as "#1c1b19".'
                self._fail(line_of_value(self._text, name, value), message)
        if not 1 <= images.quality <= 100:
            message = f"images.quality is {images.quality}; expected a number from 1 to 100."
            self._fail(line_of_value(self._text, "quality", images.quality), message)
        if not images.widths or not all(16 <= width <= 16383 for width in images.widths):  # the largest of WebP
            message = "images.widths must list at least one width, each from 16 to 16383 pixels."
            self._fail(line_of_value(self._text, "widths", images.widths), message)

    def _feedback(self) -> None:
        endpoint = self._config.feedback.endpoint
        if endpoint is not None and not _is_local(endpoint) and not re.fullmatch(r"https?://[^\s\\]+", endpoint):
            message = f'feedback.endpoint is "{endpoint}"; expected an address, or a path that begins with one slash.'
            self._fail(line_of_value(self._text, "endpoint", endpoint), message)

    def _programs(self) -> None:
        for key, value, message in check_programs(self._config.programs):
            self._fail(line_of_value(self._text, key, value), message)

    def _search(self) -> None:
        search = self._config.search
        if search.rules != SearchRules():
            message = (
                f"search.rules is not a setting of this file; write its content into {SEARCH_RULES_NAME} beside it."
            )
            self._fail(line_of_text(self._text, "rules"), message)
        addresses = [("missing_results_url", search.missing_results_url), ("host", search.insights.host)]
        addresses += [("cdn_url", search.insights.cdn_url), *(("hosts", host) for host in search.hosts)]
        for field, address in addresses:
            if address is not None and not re.fullmatch(r"https?://[^\s\\]+", address):
                message = f'search: {field} is "{address}"; expected an address, such as "https://search.example.org".'
                self._fail(line_of_text(self._text, address), message)
        for text, message in check_search(search):
            self._fail(line_of_text(self._text, text), message)

    def _search_engine(self) -> None:
        for key, value, message in check_search_engine(self._config.search.engine):
            self._fail(line_of_value(self._text, key, value, ["search", "engine"]), message)

    def _server(self) -> None:
        for key, value, message in check_server(self._config.server):
            self._fail(line_of_value(self._text, key, value, ["server"]), message)

    def _theme(self) -> None:
        for key, value, message in check_theme(self._config.theme):
            shown = int(value) if value.isdigit() else value
            line = line_of_text(self._text, value) if isinstance(shown, str) else line_of_value(self._text, key, shown)
            self._fail(line, message)

    def _head(self) -> None:
        config = self._config
        for value, message in check_head(config.styles, config.scripts, config.head):
            first = value.strip().partition("\n")[0]
            self._fail(_line_in_head(self._text, first), message)

    def _unique(self, what: str, names: list[str]) -> None:
        if not names and what in ("locales", "versions"):
            self._fail(line_of_value(self._text, what, None), f"{what} is empty; at least one is needed.")
        for number, name in enumerate(names):
            if name in names[:number]:
                line = line_of_text(self._text, name, nth=2)
                self._fail(line, f'{what}: "{name}" is named twice; each must have a name of its own.')

    def _paths(self) -> None:
        """Check the parts of routes that tell locales and versions apart."""
        locales = [(locale.id, locale.path) for locale in self._config.locales]
        versions = [(version.name, version.path) for version in self._config.versions]
        for what, named_paths in (("locales", locales), ("versions", versions)):
            owners: dict[str, str] = {}
            for name, path in named_paths:
                if not re.fullmatch(r"[^/\\\s?#]*", path):
                    text = f'{what}: the path of "{name}" is "{path}"; expected one part of a route, without slashes.'
                    self._fail(line_of_value(self._text, "path", path), text)
                if path in owners:
                    shown = f'the path "{path}"' if path else "no path"
                    message = f'{what}: "{owners[path]}" and "{name}" both have {shown}; each must have its own.'
                    self._fail(line_of_text(self._text, name), message)
                owners.setdefault(path, name)
        self._suffixes()
        first, path = locales[0] if locales else ("", "")
        if path and len(locales) == 1:
            message = f'locales: the path of "{first}" is "{path}"; the first locale is the default one and has none.'
            self._fail(line_of_value(self._text, "path", path), message)
        if path and (bare := next((name for name, own in locales if not own), "")):
            message = (
                f'locales: "{bare}" has no path, but the first locale has one; give each a path, or the first none.'
            )
            self._fail(line_of_text(self._text, bare), message)
        if self._config.versions and all(version.path for version in self._config.versions):
            message = "versions: each has a path; the last version must have none, so that its pages are at the root."
            self._fail(line_of_value(self._text, "versions", None), message)

    def _suffixes(self) -> None:
        """Check the languages whose files lie beside their originals."""
        owners: dict[str, str] = {}
        for place, locale in enumerate(self._config.locales):
            if not (suffix := locale.suffix):
                continue
            message = ""
            if not re.fullmatch(r"[A-Za-z0-9_-]+", suffix):
                message = f'is "{suffix}"; expected letters, digits, "-" and "_", such as "de" for install.de.md.'
            elif (place and locale.docs is not None) or locale.folders:
                message = (
                    "is given together with docs or folders; translations lie either beside originals or in folders."
                )
            elif suffix in owners:
                message = f'is "{suffix}", as that of "{owners[suffix]}"; each language needs its own.'
            if message:
                message = f'locales: the suffix of "{locale.id}" {message}'
                self._fail(line_of_value(self._text, "suffix", suffix), message)
            owners.setdefault(suffix, locale.id)

    def _versions(self) -> None:
        given = self._config.versions_from
        if given is None:
            return
        if given.pattern.count("*") > 1:
            message = f'versions: the pattern is "{given.pattern}"; expected one star, which stands for the version.'
            self._fail(line_of_value(self._text, "pattern", given.pattern), message)
        for key, value in (("most", given.most), ("supported", given.supported)):
            if value < 0:
                self._fail(
                    line_of_key(self._text, key, ["versions"]), f"versions: {key} is {value}; expected 0 or more."
                )
        if not re.fullmatch(r"[^/\\\s?#]*", given.next):
            message = f'versions: next is "{given.next}"; expected one part of a route, without slashes.'
            self._fail(line_of_value(self._text, "next", given.next), message)

    def _folders(self) -> None:
        config = self._config
        folders = [(field, getattr(config, field)) for field in ("docs", "pages", "static", "components")]
        folders += [("docs", version.docs) for version in config.versions]
        folders += [("docs", locale.docs) for locale in config.locales if locale.docs is not None]
        folders += [("folders", one) for locale in config.locales for pair in locale.folders.items() for one in pair]
        folders += [("mounts", folder) for folder in config.mounts]
        folders += [(field, getattr(one, field)) for one in config.commands for field in ("source", "docs")]
        for field, folder in folders:
            if not folder or Path(folder).is_absolute() or ".." in Path(folder).parts:
                line = line_of_value(self._text, field, folder)
                self._fail(line, f'{field} is "{folder}"; expected a folder inside the site, without "..".')

    def _routing(self) -> None:
        routing = self._config.routing
        if not re.fullmatch(r"(?:[^/\\\s?#]+(?:/[^/\\\s?#]+)*)?", routing.docs):
            message = f'routing.docs is "{routing.docs}"; expected part of a route without slashes at its ends.'
            self._fail(line_of_value(self._text, "docs", routing.docs), message)
        for what, routes in (("mounts", self._config.mounts), ("routing.exact", routing.exact)):
            for source, route in routes.items():
                if not _is_local(route) or re.search(r"[?#]", route):
                    message = (
                        f'{what}: the route of "{source}" is "{route}"; expected a path that begins with one slash.'
                    )
                    self._fail(line_of_text(self._text, source), message)

    def _entries(self, entries: list[SidebarEntry], sidebar_id: str) -> None:
        for entry in entries:
            given = [key for key in ("doc", "href", "category", "autogenerated") if getattr(entry, key) is not None]
            if len(given) > 1:
                first, second = given[:2]
                message = (
                    f'sidebar "{sidebar_id}": an entry has both {first} and {second}; expected exactly one of them.'
                )
                self._fail(line_of_value(self._text, second, getattr(entry, second)), message)
            if not given:
                message = (
                    f'sidebar "{sidebar_id}": an entry has neither doc, href, category nor autogenerated; expected one.'
                )
                self._fail(line_of_text(self._text, entry.label or sidebar_id), message)
            self._entries(entry.items, sidebar_id)

    def _redirects(self) -> None:
        for redirect in self._config.redirects:
            if not _is_local(redirect.source):
                message = f'redirects: from is "{redirect.source}"; expected a path that begins with one slash.'
                self._fail(line_of_value(self._text, "from", redirect.source), message)
            if not _is_local(redirect.to) and not re.fullmatch(r"https?://[^\s\\]+", redirect.to):
                message = (
                    f'redirects: to is "{redirect.to}"; expected a path that begins with one slash, or an address.'
                )
                self._fail(line_of_value(self._text, "to", redirect.to), message)
            elif problem := explain_redirect(redirect, self._config.redirects):
                self._fail(line_of_value(self._text, "from", redirect.source), problem)

    def _content_policy(self) -> None:
        for directive, sources in self._config.content_policy.items():
            if not re.fullmatch(r"[a-z]+(?:-[a-z]+)*", directive):
                message = f'content_policy: "{directive}" is not a directive; expected one such as "script-src".'
                self._fail(line_of_text(self._text, directive), message)
            for source in sources:
                if source.startswith("'unsafe-") or not re.fullmatch(r"[^\s;,\x00-\x1f\x7f-\uffff]+", source):
                    message = (
                        f'content_policy: "{source}" cannot be allowed; expected one source, such as '
                        f'"https://example.org", and nothing that undoes the policy.'
                    )
                    self._fail(line_of_text(self._text, source), message)

    def _fail(self, line: int, message: str) -> None:
        self._problems.append((line, message))


def _line_in_head(text: str, part: str) -> int:
    """1-based line of the file that holds this, from the first of these settings on; that line where none does."""
    lines = list(enumerate(text.splitlines(), 1))
    first = next((number for number, line in lines if _HEAD_SETTING.match(line)), 1)
    return next((number for number, line in lines if number >= first and part and part in line), first)


def _is_local(path: str) -> bool:
    """A path of this site: a second slash, or a backslash, would lead a browser to another host."""
    return re.fullmatch(r"/(?!/)[^\\\x00-\x20]*", path) is not None


def _tidy(config: Config) -> Config:
    """Write folders in one form, so that paths can be compared: `./docs/` becomes `docs`."""
    replace, normal = msgspec.structs.replace, posixpath.normpath
    return replace(
        config,
        docs=normal(config.docs),
        pages=normal(config.pages),
        static=normal(config.static),
        components=normal(config.components),
        versions=[replace(version, docs=normal(version.docs)) for version in config.versions],
        locales=[_tidy_locale(locale) for locale in config.locales],
        mounts={normal(folder): route.rstrip("/") for folder, route in config.mounts.items()},
        blogs=[tidy_blog(one) for one in config.blogs],
        commands=[tidy_commands(one) for one in config.commands],
        openapi=[tidy_api(api) for api in config.openapi],
        theme=tidy_theme(config.theme),
    )


def _tidy_locale(locale: Locale) -> Locale:
    normal = posixpath.normpath
    folders = {normal(folder): normal(translated) for folder, translated in locale.folders.items()}
    return msgspec.structs.replace(locale, docs=normal(locale.docs) if locale.docs else None, folders=folders)
