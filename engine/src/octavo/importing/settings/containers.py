"""Marks that the configuration of a site adds to its Markdown: blocks of colons (`::: name`) beyond its admonitions, and plug-ins."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from octavo.content import OWN_KINDS
from octavo.importing.common import as_dict, as_list, relative
from octavo.importing.model import Plan
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.project import project_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_NAME = re.compile(r"[A-Za-z][\w-]*")
_LIKELY = re.compile(r"\.use\(|container", re.IGNORECASE)
_TAKEN = frozenset(OWN_KINDS) | {"code-group", "details", "raw", "tabs", "v-pre"}
"""Blocks that pages have without a word in the settings."""
PLUGINS = {
    "abbr": "abbr",
    "attrs": "attr_list",
    "deflist": "def_list",
    "emoji": "emoji",
    "katex": "math",
    "mark": "mark",
    "math": "math",
    "mathjax": "math",
    "mathjax3": "math",
    "sub": "tilde",
    "sup": "caret",
    "tex": "math",
    "texmath": "math",
}
"""End of the name of a plug-in of markdown-it, or key of the settings of a theme → our extension."""
_PLUGIN = re.compile(r"""["'](?:markdown-it|@mdit/plugin)-(?P<name>[\w-]+)["']""")
_REMEDY = (
    "A program of the old site drew them. Pages show their text in a block of the class `block-NAME`, which a style sheet "
    "can lay out; under `containers` of [markdown] they can look like an admonition instead."
)
_PROGRAM = """import given from %s;
const names = [];
const anything = () => new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "" : key === "then" || typeof key === "symbol" ? undefined : anything()),
  set: () => true,
  apply: () => anything(),
  construct: () => anything(),
});
const md = new Proxy(function () {}, {
  get: (_, key) => (key === "use" ? use : key === "then" || typeof key === "symbol" ? undefined : anything()),
  set: () => true,
});
function use(plugin, ...options) {
  if (typeof options[0] === "string") names.push(options[0]);
  try { if (typeof plugin === "function") plugin(md, ...options); } catch {}
  return md;
}
export default (async () => {
  const config = typeof given === "function" ? await given({ mode: "production", command: "build" }) : await given;
  const { markdown, extendsMarkdown, extendMarkdown, plugins } = config ?? {};
  for (const extend of [markdown?.preConfig, markdown?.config, markdown?.extendMarkdown, extendsMarkdown, extendMarkdown]) {
    try { if (typeof extend === "function") await extend(md); } catch {}
  }
  for (const plugin of Array.isArray(plugins) ? plugins : Object.entries(plugins ?? {})) {
    const [name, options] = Array.isArray(plugin) ? plugin : [];
    if (/container$/.test(String(name))) for (const one of [options].flat()) names.push(one?.type);
  }
  return names.filter((one) => typeof one === "string");
})();
"""
"""Runs what a configuration does to the parser, a stand-in that remembers the names which plug-ins are given."""


def plugins_in(text: str) -> set[str]:
    """Find our extensions for the plug-ins of markdown-it that a program imports."""
    return {PLUGINS[match["name"]] for match in _PLUGIN.finditer(text) if match["name"] in PLUGINS}


def carry_containers(
    plan: Plan, config: Path | None, root: Path, docs: str, options: Iterable[dict[str, Any]] = ()
) -> None:
    """Declare the blocks that a configuration of VitePress or VuePress gives to markdown-it-container, and its plug-ins.

    Args:
        plan: Takes the settings, and one note for all names.
        config: The file of the configuration.
        root: The folder in which it runs.
        docs: The folder of the documents, from the site's folder.
        options: Settings of a theme or of plug-ins, of which some are marks: `mark: true`.
    """
    if config is None:
        return
    programs = list(_programs_beside(config))
    known = {PLUGINS[name] for given in options for name, value in given.items() if name in PLUGINS and value}
    extensions = plan.settings["markdown"]["extensions"]
    extensions += sorted(known.union(*map(plugins_in, programs)).difference(extensions))
    if not any(map(_LIKELY.search, programs)):
        return
    try:
        found: Any = Scripts(root, project_of(root)).run(
            _PROGRAM % json.dumps(f"./{relative(config, project_of(root) or root)}")
        )
    except ScriptError:
        return  # the configuration itself is read elsewhere, which notes the problem
    declare(plan, dict.fromkeys(map(str, as_list(found)), "plain"), docs, _REMEDY)


def declare(plan: Plan, looks: dict[str, str], docs: str, remedy: str = "") -> None:
    """Write the blocks that pages use into the settings; with a remedy, a note says how many pages have them."""
    wanted = {name: look for name, look in looks.items() if _NAME.fullmatch(name) and name not in _TAKEN}
    used: dict[str, int] = {}
    if wanted:
        tree = Tree(plan.site_dir, plan.settings, docs)
        mark = re.compile(rf"^[ \t>]*:{{3,}}[ \t]*({'|'.join(map(re.escape, wanted))})(?![\w-])", re.MULTILINE)
        for file in tree.files:
            for name in set(mark.findall(tree.text(file))):
                used[name] = used.get(name, 0) + 1
    if used:
        plan.settings["markdown"]["containers"] = {name: wanted[name] for name in sorted(used)}
        if remedy:
            names = ", ".join(f"::: {name}" for name in sorted(used))
            plan.note(f"Blocks that a program draws ({names})", remedy, count=sum(used.values()))


def kinds_of_admonitions(config: Any) -> dict[str, dict[str, str]]:
    """Give the setting `containers` for the kinds of admonitions that a configuration of Docusaurus names; else nothing."""
    kinds = {name for name in _keywords(config) if _NAME.fullmatch(name)} - {*OWN_KINDS, "secondary", "success"}
    return {"containers": dict.fromkeys(sorted(kinds), "info")} if kinds else {}


def _keywords(config: Any) -> Iterator[str]:
    """List the `keywords` of `admonitions` in the options of all plug-ins and presets."""
    if isinstance(config, list):
        for one in config:
            yield from _keywords(one)
    for key, value in as_dict(config).items():
        if key == "admonitions":
            yield from map(str, as_list(as_dict(value).get("keywords")))
        else:
            yield from _keywords(value)


def _programs_beside(config: Path) -> Iterator[str]:
    """Read a configuration and what lies beside it or below it, of which it may be put together."""
    for path in sorted(config.parent.rglob("*")):
        parts = path.relative_to(config.parent).parts
        if (
            path.suffix in (".ts", ".mts", ".js", ".mjs", ".cjs")
            and "node_modules" not in parts
            and "cache" not in parts
        ):
            yield path.read_text(encoding="utf-8", errors="replace")
