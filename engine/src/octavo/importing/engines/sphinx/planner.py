"""Sphinx with MyST, and projects of MyST without it: `conf.py` is read as data and never run."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from octavo.errors import UsageError
from octavo.importing.colors import carry_accent, carry_accent_of_sheets, sheets_in
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    diagnostics,
    github_icon,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.engines.mkdocstrings import add_python_api, note_inventories
from octavo.importing.engines.sphinx.builders import carry_redirects, publishes_folders
from octavo.importing.engines.sphinx.catalogs import take_over_catalogs
from octavo.importing.engines.sphinx.look import carry_copyright, carry_pictures, carry_repository
from octavo.importing.engines.sphinx.myst_project import (
    Project,
    carry_texts,
    external_toc,
    flat_routes,
    gone_files,
    read_project,
    sidebar_of,
)
from octavo.importing.engines.sphinx.rst import (
    Toc,
    TocLine,
    add_rst,
    can_read_rst,
    choose_as_autodoc,
    expand,
    has_rst,
    labels_of,
    links_of_roles,
    notebook_extensions,
    programs_of,
    project_version,
    projects_of,
    tocs_in,
)
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import title_of
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.files import read_text
from octavo.importing.settings.labels import set_language
from octavo.importing.settings.python_values import read_values
from octavo.importing.tree import Tree
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_yaml

_TOCTREE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?:toctree|nbgallery)\}[^\n]*\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL
)
_OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")
_YAML = re.compile(r"\A\s*---[ \t]*\n(?P<options>.*?)^[ \t]*---[ \t]*$", re.MULTILINE | re.DOTALL)
"""Options of a directive between two lines of hyphens, which MyST takes as well."""
_YAML_OPTION = re.compile(r"^[ \t]*([\w-]+):(?:[ \t]+(.*))?$", re.MULTILINE)
_ENTRY = re.compile(r"^(?:(?P<title>.*?)\s*<(?P<path>[^>]+)>|(?P<bare>.+))$")
_LABEL = re.compile(
    r"^[ \t]*\((?P<target>[^()\n]+)\)=[ \t]*$"
    r"|^[ \t>]*[`:~]{3,}[ \t]*\{(?:figure|image|(?:list-|csv-)?table|code(?:-block)?|literalinclude|math|mermaid|graphviz|dropdown|exercise|solution|admonition|prf:[a-z]+)(?:-start)?\}[^\n]*\n"
    r"(?:[ \t>]*:(?!label:|name:)[a-z-]+:[^\n]*\n){0,20}[ \t>]*:(?:label|name):[ \t]*(?P<name>\S[^\n]*)$",
    re.MULTILINE,
)
"""What references may lead to: a target, or a directive by its name."""
_ROLE_OF_MATH = re.compile(r"\{math\}`|[`:]{3,}\{math\}")
_DEEPEST = 8
_GONE = "gone:"
"""Mark before a name in the set of files that were seen: no file has it."""
_MADE = frozenset(["genindex", "modindex", "py-modindex", "search"])
"""Pages that Sphinx makes itself."""

_MODES = ("light", "dark")
_KNOWN_EXTENSIONS = frozenset(
    ["alabaster", "myst_parser", "myst_nb", "nbsphinx", "nbsphinx_link", "IPython.sphinxext.ipython_console_highlighting", "sphinx_issues", "sphinx_copybutton", "sphinx_design", "sphinx_external_toc", "sphinx_inline_tabs", "sphinx_sitemap", "sphinx_tabs.tabs",
     "sphinx_reredirects", "sphinx_togglebutton", "sphinxcontrib.mermaid", "sphinxext.opengraph", "sphinxext.rediraffe", "notfound.extension"]
)  # fmt: skip
_OF_PAGES = ("html_", "myst_", "rediraffe_", "project", "redirects", "extensions", "exclude_patterns", "all of ")
"""Beginnings of the settings that readers see."""
_READ = frozenset(
    ["html_title", "project", "html_baseurl", "exclude_patterns", "extensions", "myst_enable_extensions", "myst_substitutions", "html_theme_options",
     "html_theme", "html_context", "html_static_path", "rediraffe_redirects", "rediraffe_branch", "myst_heading_anchors",
     "redirects"]
)  # fmt: skip

_QUOTES_AS_IN_ENGLISH = ("en", "ko", "pt", "tr")
"""Languages for which docutils has the quotation marks of English."""


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a site of Sphinx whose pages are Markdown."""
    if found.config is None:
        raise UsageError(f"{found.home} contains no conf.py.")
    project = read_project(found.config) if found.config.suffix == ".yml" else None
    computed: list[str] = []
    if project:
        config = _as_conf(project)
    else:
        config, computed = read_values(found.config, project_version(folder))
    source = found.home
    site_dir = folder if source.is_relative_to(folder) else source
    made = Plan("sphinx", site_dir, {})
    if project and project.said is not None:
        made.watch(project.said)
    docs = relative(source, site_dir)
    prefix = "" if docs == "." else f"{docs}/"
    settings = made.settings
    settings |= without_empty(
        {
            "title": as_text(config.get("html_title")) or as_text(config.get("project")) or source.name,
            **split_url(config.get("html_baseurl")),
        }
    )
    settings["docs"] = docs
    settings["static"] = "static"
    settings["exclude"] = [
        *ALWAYS_EXCLUDED,
        *(
            f"{prefix}{pattern}{end}"
            for pattern in map(as_text, as_list(config.get("exclude_patterns")))
            if pattern
            for end in ("", "/**")
        ),
    ]
    enabled = [as_text(one) for one in as_list(config.get("myst_enable_extensions"))]
    known = {
        "deflist": "def_list",
        "dollarmath": "math",
        "amsmath": "math",
        "attrs_inline": "attr_list",
        "attrs_block": "attr_list",
    }
    # Themes and other extensions of Sphinx switch these on as well, where `conf.py` does not say so.
    smart = _smart_extensions(config, enabled)
    extensions = sorted({"myst", "attr_list", "def_list", *smart, *(known[one] for one in enabled if one in known)})
    extensions = sorted({*extensions, *notebook_extensions(source, config, is_project=bool(project))})
    if found.config is not None and found.config.name == "myst.yml":
        extensions = sorted([*extensions, "mystmd"])
    reads_rst = not project and has_rst(source) and can_read_rst()
    if reads_rst:
        extensions = sorted([*extensions, "rst"])
    values = _substitutions(config.get("myst_substitutions"), found.config)
    settings["markdown"] = without_empty(
        {
            "extensions": extensions,
            "slugs": "docutils",
            "formula_macros": _formula_macros(config),
            "variables": {
                str(key).lower(): str(value) for key, value in values.items() if isinstance(value, (str, int, float))
            },
        }
    )
    settings["routing"] = {
        "ending": "/" if (project and project.is_flat) or (not project and publishes_folders(source)) else ".html",
        "number_prefixes": True,
        "index_names": ["index"],
        "folder_name_is_index": False,
    }
    tree = Tree(site_dir, settings, docs)
    if project and project.is_flat:
        routes = flat_routes(tree, project)
        settings["routing"]["exact"] = {
            tree.path(file): route for file, route in routes.items() if route != tree.route(file)
        }
        tree = Tree(site_dir, settings, docs)
    if references := _references(tree):
        settings["markdown"]["references"] = references
    if _ROLE_OF_MATH.search("".join(map(tree.text, tree.files))) and "math" not in extensions:
        extensions.append("math")
    if project:
        settings["markdown"].setdefault("references", {}).update(project.references)
        carry_texts(made, project)
    if not project:
        add_python_api(made, {"autodoc": {}}, source, tree)
        if can_read_rst() and "extension_options" in settings:
            settings["extension_options"]["python_api"]["markup"] = "rst"
        choose_as_autodoc(made, config)
    if reads_rst:
        add_rst(made, config, tree, docs)
    else:
        # Roles that it defines are those of pages in MyST too.
        prolog = as_text(config.get("rst_prolog")).strip("\n")
        links = links_of_roles(config, [] if project else programs_of(site_dir, source, config))
        rst = without_empty({"prolog": prolog if "role::" in prolog else "", "extlinks": links})
        settings["markdown"].update({"rst": rst} if rst else {})
    root = as_text(config.get("root_doc")) or as_text(config.get("master_doc")) or "index"
    several = [] if project or tree.find(root) else _roots_below(config, tree, root)
    seen: set[str] = set()
    toc = project.toc if project else external_toc(config, source)
    items = sidebar_of(tree, toc) if project or toc else _toctree(tree, root, 0, seen)
    settings["sidebars"] = [{"id": "docs", "items": items or [{"autogenerated": "."}]}]
    settings["navbar"] = {"title": settings["title"]}
    _note_gone(made, seen | {f"{_GONE}{name}" for name in gone_files(tree, toc)})
    if several:
        _write_several(made, config, tree, several)
    routes = {file: settings["routing"].get("exact", {}).get(tree.path(file), tree.route(file)) for file in tree.files}
    if "/" not in routes.values() and tree.files:
        start = tree.find(root) or next(iter(several), tree.files[0])
        settings["redirects"] = [{"from": "/", "to": routes[start]}]
    carry_redirects(made, tree, config, source)
    if project and project.github:
        where = project.github if "://" in project.github else f"https://github.com/{project.github}"
        settings["navbar"]["items"] = [{"label": "GitHub", "href": where, "position": "right", **github_icon(where)}]
    look = as_dict(config.get("html_theme_options"))
    furo = {mode: as_text(as_dict(look.get(f"{mode}_css_variables")).get("color-brand-primary")) for mode in _MODES}
    read = carry_pictures(made, config, source)
    carry_repository(made, config, docs)
    carry_copyright(made, config)
    if project and project.bar:
        settings["navbar"]["items"] = [*project.bar, *settings["navbar"].get("items", [])]
    if not carry_accent_of_sheets(made, sheets_in(source / "_static")):
        carry_accent(made, *(furo[mode] or None for mode in _MODES))
    allow_files_above(made, tree)
    _report(made, source)
    take_over_catalogs(made, source, config, tree)
    if "sphinx.ext.intersphinx" in as_list(config.get("extensions")):
        note_inventories(made, (address for _, address in projects_of(config)))
    if not project:
        _report_conf(made, {name: value for name, value in config.items() if name not in read}, computed)
    settings["diagnostics"] = diagnostics()
    set_language(made, config.get("language"))
    return made


def _roots_below(config: dict[str, Any], tree: Tree, root: str) -> list[str]:
    """List the first pages of projects in folders of their own, where there is none beside `conf.py`."""
    projects = list(as_dict(config.get("multiproject_projects")))
    folders = projects or sorted({file.partition("/")[0] for file in tree.files if "/" in file})
    return [file for folder in folders if (file := tree.find(f"{folder}/{root}"))]


def _write_several(plan: Plan, config: dict[str, Any], tree: Tree, roots: list[str]) -> None:
    """Give each project its sidebar and an entry of the top bar."""
    settings = plan.settings
    projects = as_dict(config.get("multiproject_projects"))
    sidebars, items = [], []
    for file in roots:
        folder = posixpath.dirname(file)
        said = as_dict(as_dict(projects.get(folder)).get("config"))
        own = _toctree(tree, posixpath.splitext(file)[0], 0, set()) or [{"autogenerated": folder}]
        label = as_text(said.get("html_title")) or as_text(said.get("project")) or title_of(tree, file)
        sidebars.append({"id": folder, "items": own})
        items.append({"label": label, "href": tree.route(file)})
    if not (config.get("html_title") or config.get("project")):
        settings["title"] = settings["navbar"]["title"] = items[0]["label"]
    settings["sidebars"] = sidebars
    settings["navbar"] |= {"items": items} if len(items) > 1 else {}


def _smart_extensions(config: dict[str, Any], enabled: list[str]) -> tuple[str, ...]:
    """Tell whether Sphinx draws quotation marks and dashes, and whether MyST does so before it makes ids of titles."""
    language = as_text(config.get("language"), "en").replace("_", "-").partition("-")[0]
    if config.get("smartquotes") is False or language not in _QUOTES_AS_IN_ENGLISH:
        return ()
    return ("smart", "smart_titles") if "smartquotes" in enabled else ("smart",)


def _formula_macros(config: dict[str, Any]) -> dict[str, str]:
    """Read the commands that MathJax is given: name → text, or a list of the text and the number of its arguments."""
    settings = [as_dict(config.get(name)) for name in ("mathjax3_config", "mathjax4_config", "mathjax_config")]
    given: dict[str, Any] = {}
    for one in settings:
        given |= as_dict(as_dict(one.get("tex")).get("macros")) | as_dict(as_dict(one.get("TeX")).get("Macros"))
    texts = {name: as_text(as_list(value)[0] if as_list(value) else value) for name, value in given.items()}
    return {f"\\{name}": text for name, text in texts.items() if text and re.fullmatch("[a-zA-Z]+", name)}


_YAML_FILE = re.compile(r"""["']([\w./-]+\.ya?ml)["']""")


def _substitutions(given: object, config: Path) -> dict[str, Any]:
    """Give the texts that names stand for, with those of the YAML files that `conf.py` adds to them."""
    values = dict(given) if isinstance(given, dict) else {}
    text = read_text(config) if config.suffix == ".py" else ""
    if "myst_substitutions" not in text or "safe_load" not in text:
        return values
    for name in dict.fromkeys(_YAML_FILE.findall(text)):
        file = config.parent / name
        if file.is_file() and file.resolve().is_relative_to(config.parent.resolve()):
            try:
                values |= as_dict(parse_yaml(read_text(file)))
            except SyntaxMistakeError:
                continue
    return values


def _as_conf(project: Project) -> dict[str, Any]:
    """Give what a project says as the assignments of a `conf.py`."""
    return {
        "html_title": project.title,
        "html_baseurl": project.url,
        "exclude_patterns": [*project.exclude, "_build"],
        "myst_enable_extensions": ["deflist", "dollarmath", "amsmath", "attrs_inline", "attrs_block"],
        "myst_substitutions": project.substitutions,
        "extlinks": project.extlinks,
        **project.conf,
    }


def _toctree(tree: Tree, name: str, depth: int, seen: set[str]) -> list[dict[str, Any]]:
    """Follow the tables of contents from a page on."""
    file = tree.find(name)
    if file is None or file in seen or depth > _DEEPEST:
        return []
    seen.add(file)
    entries: list[dict[str, Any]] = []
    for toc in tocs_in(tree.text(file)) if file.endswith(".rst") else _tocs_of_myst(tree.text(file)):
        inner: list[dict[str, Any]] = []
        for entry in _expanded(toc, posixpath.dirname(file), tree):
            if "://" in entry.path:
                inner.append({"href": entry.path, "label": entry.title or entry.path})
                continue
            target = (
                entry.path.lstrip("/")
                if entry.path.startswith("/")
                else posixpath.normpath(posixpath.join(posixpath.dirname(file), entry.path))
            )
            inner += _leaf(tree, target, entry.title, depth, seen)
        entries += (
            [{"category": toc.caption, "is_collapsed": False, "items": inner}] if toc.caption and inner else inner
        )
    return entries


def _expanded(toc: Toc, folder: str, tree: Tree) -> list[TocLine]:
    """Give the entries of a table of contents with the files in the place of patterns; each page comes once."""
    named = {posixpath.splitext(entry.path)[0] for entry in toc.entries}
    entries: list[TocLine] = []
    for entry in toc.entries:
        if toc.is_glob and re.search(r"[*?]", entry.path):
            found = [file for file in expand(entry, folder, tree) if posixpath.splitext(file)[0] not in named]
            entries += [TocLine(f"/{file}") for file in found]
        elif entry.path != "self":
            entries.append(entry)
    return entries[::-1] if toc.is_reversed else entries


def _tocs_of_myst(text: str) -> Iterator[Toc]:
    """Find the tables of contents of a file in MyST."""
    for match in _TOCTREE.finditer(text):
        body, entries = match["body"], []
        head = _YAML.match(body)
        options = {
            one[1]: (one[2] or "").strip("\"' ") for one in _YAML_OPTION.finditer(head["options"] if head else "")
        }
        for line in (one.strip() for one in body[head.end() if head else 0 :].split("\n")):
            if option := _OPTION.match(line):
                options[option[1]] = option[2]
                continue
            found = _ENTRY.match(line)
            if found is not None and not line.startswith(("#", "---")):
                entries.append(TocLine(found["path"] or found["bare"], found["title"] or ""))
        yield Toc(options.get("caption", ""), entries, "glob" in options, "reversed" in options)


def _leaf(tree: Tree, target: str, title: str, depth: int, seen: set[str]) -> list[dict[str, Any]]:
    own = tree.find(target)
    if own is None:
        seen.add(f"{_GONE}{target}")
    if own is None or own in seen:
        return []
    below = _toctree(tree, target, depth + 1, seen)
    label = title or title_of(tree, own)
    if below:
        return [{"category": label, "link": {"type": "doc", "id": tree.doc_id(own)}, "items": below}]
    return [{"doc": tree.doc_id(own), "label": label}]


def _note_gone(plan: Plan, seen: set[str]) -> None:
    """Note the pages that tables of contents name and that are not there."""
    names = sorted(one.removeprefix(_GONE) for one in seen if one.startswith(_GONE))
    if gone := [name for name in names if posixpath.basename(name) not in _MADE]:
        remedy = "A program may write them before a build; else write them, or take the lines out."
        plan.note("Tables of contents name pages that do not exist", remedy, count=len(gone), files=gone[:5])


def _report(plan: Plan, source: Path) -> None:
    written = [] if can_read_rst() else [relative(path, plan.site_dir) for path in sorted(source.rglob("*.rst"))]
    if written:
        plan.note(
            "Pages in reStructuredText",
            'Install what reads them, and import again: pip install "octavo[rst]".',
            count=len(written),
            files=written[:5],
        )


def _report_conf(plan: Plan, config: dict[str, Any], computed: list[str]) -> None:
    """Note the extensions whose directives are not known, and settings that are computed or have no effect."""
    for name in map(as_text, as_list(config.get("extensions"))):
        if name and not name.startswith("sphinx.ext.") and name not in _KNOWN_EXTENSIONS:
            plan.note(f"The extension {name}", "It is a program of the old engine and is not run.")
    computed = [name for name in computed if name.startswith(_OF_PAGES)]
    if computed:
        remedy = "conf.py is read, not run: write what readers would miss into octavo.toml."
        plan.note(f"Settings of conf.py that are computed: {', '.join(computed)}", remedy, count=len(computed))
    unread = [name for name in config if name.startswith(_OF_PAGES) and name not in _READ]
    if unread:
        remedy = "Look for those that readers would miss; octavo.toml may have a setting of another name."
        names = ", ".join(sorted(unread))
        plan.note(f"Settings of the old site that have no effect: {names}", remedy, count=len(unread))


def _references(tree: Tree) -> dict[str, str]:
    """Find the labels of all pages: label in small letters → its page and id."""
    found: dict[str, str] = {}
    for file in tree.files:
        if file.endswith(".rst"):
            for label, anchor in labels_of(tree.text(file)):
                found.setdefault(label, f"{tree.path(file)}#{anchor}")
            continue
        for match in _LABEL.finditer(tree.text(file)):
            label = match["target"] or match["name"]
            anchor = re.sub(r"[^a-z0-9]+", "-", label.strip().lower()).strip("-")
            found.setdefault(label.strip().lower(), f"{tree.path(file)}#{anchor}")
    return found
