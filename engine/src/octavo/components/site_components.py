"""`SiteComponents`: the components of a site in React. What they are, what is published of them, and how they are drawn."""

from __future__ import annotations

import html
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from octavo.components.children import ALWAYS, NESTED, NEVER, Trees, build_trees, fill_parts, hidden_text
from octavo.components.component import Component, component_files, script_files, stem, unusable_files
from octavo.components.conversation import ComponentError, LateAnswers, SlowError
from octavo.components.definitions import Definitions, Exports
from octavo.components.drawing import (
    BoundedDrawing,
    ComponentAnswer,
    failure_message,
    find_doubt,
    hidden_children,
    use_key,
)
from octavo.components.islands import client_of, write_island
from octavo.components.modules import Module, Modules, place_finding
from octavo.components.process import ComponentProcess, Spare
from octavo.components.props import PropertyChecks
from octavo.components.publishing import PublishedModules
from octavo.components.react_features import when_hydrated
from octavo.components.slots import (
    CONTENT_SLOTS,
    FOLDER,
    LAYOUT,
    PAGE_SLOTS,
    PREFIX,
    SLOT_PROPS,
    layout_parts,
    page_props,
    slots_of,
)
from octavo.config import Config
from octavo.content import COMPONENT_KIND, SLOT, nearest
from octavo.contract import PagePayload
from octavo.diagnostics import Diagnostic, Span
from octavo.look import LoadedAddresses
from octavo.rendering import THEME_DIR, Drawn, Use, read_theme_file
from octavo.runtime import Cache, digest, pages_key

SECONDS = 5.0
"""That one component may take to be drawn."""
MEMORY = 256 << 20
"""Bytes that its objects may take."""
_TABLE = "components.msgpack"
_LAYOUT = PREFIX + LAYOUT
_REPLACING = ("footer",)
"""Places whose component gets what it replaces, as `children`."""
_WITHOUT_CHILDREN = frozenset({f"{PREFIX}{name}" for name in ("footer", "code-block", "card")})
"""Slots that need not show their children, which the theme draws of the other properties."""
_PROPS_HINT = "Change the value in the page, or the type in the component."


class _Table(msgspec.Struct, frozen=True):
    """What earlier builds have found out."""

    modules: dict[str, Module] = {}
    described: dict[str, Exports] = {}


def load_components(
    site_dir: Path,
    config: Config,
    cache: Cache,
    patience: float | None = None,
    before: SiteComponents | None = None,
) -> SiteComponents | None:
    """Load the components of a site; None where it has none.

    Args:
        site_dir: The site's folder.
        config: Its settings.
        cache: What earlier builds have compiled.
        patience: See `SiteComponents.be_patient`; None waits for every component.
        before: Those of an earlier state of the site, whose spare process is taken over.
    """
    files = sorted(component_files(site_dir, config.components))
    slots = sorted(script_files(site_dir, FOLDER))
    if not (files or slots or any(unusable_files(site_dir, config.components, FOLDER, SLOT_PROPS))):
        return None
    return SiteComponents(site_dir, config, cache, files, slots, patience, before)


class SiteComponents:
    """The components of a site as their files are now."""

    def __init__(
        self,
        site_dir: Path,
        config: Config,
        cache: Cache,
        files: Sequence[str],
        slots: Sequence[str],
        patience: float | None,
        before: SiteComponents | None,
    ) -> None:
        """Compile them; see `load_components`."""
        self._base_url = config.base_url
        self._spare: Spare | None = None
        spare = before.take_spare(config.base_url) if before is not None else None
        # Never the process of an earlier state: what its modules have left behind would change what these draw.
        self._process = spare or _new_process(config.base_url)
        self._late = LateAnswers()
        self._drawing = BoundedDrawing(self._process, self._late, self._request)
        self._drawing.patience = patience
        self.problems: list[Diagnostic] = []
        tools = digest(pages_key(), *(read_theme_file(THEME_DIR / name) for name in _SCRIPTS_OF_THEME))
        table = cache.load_table(_TABLE, _Table, _Table())
        self._modules = Modules(site_dir, config.components, self._process, tools, table.modules)
        self._definitions = Definitions(site_dir, self._modules, self._process)
        self._described: dict[str, Exports] = {}
        self.all: dict[str, Component] = {}
        """Name → component."""
        self._idle: dict[str, Diagnostic] = {}
        """Name of a component that reacts to readers only within one that comes alive → what is wrong elsewhere."""
        for path in files:
            self._add(stem(path), path, table)
        for path in slots:
            self._add_slot(path, table)
        if not any(one.client != "none" and one.children != NEVER for one in self.all.values()):
            self.problems += self._idle.values()
            self._idle.clear()
        self._page_slots = [name for name in PAGE_SLOTS if f"{PREFIX}{name}" in self.all]
        self._title = config.title
        self._published = PublishedModules(self._modules, config.base_url)
        self._answers: dict[bytes, ComponentAnswer] = {}
        """What was drawn: key of a use → answer."""
        self._drawn: dict[bytes, Drawn] = {}
        """What was drawn and has no finding: key of a use → the same for all uses that are alike."""
        self._files: dict[str, tuple[str, str]] = {}
        """File of a component → address of its module, and the links of its style sheets."""
        self._properties = PropertyChecks(self._definitions.read, self._modules.find_types)
        for path, message, hint in unusable_files(site_dir, config.components, FOLDER, SLOT_PROPS):
            if not self.knows(path):
                self.problems.append(Diagnostic("component", "warn", Span(path), message, hint))
        live = [one.path for name, one in self.all.items() if one.client != "none" or name == _LAYOUT]
        hydrated = {module.path for path in live for module in self._modules.below(path)}
        for path, module in self._modules.all.items():
            self.problems += map(when_hydrated, module.problems) if path in hydrated else module.problems
        self.problems += self._modules.missing_names()
        addresses = LoadedAddresses(config, site_dir)
        for module in self._modules.all.values():
            for reference in module.loads:
                if reference.address.startswith(("/", "data:", "http")):  # others are findings of the module
                    span = Span(module.path, reference.line, reference.column)
                    addresses.follow(reference, span, None, has_base=False)
        self.problems += addresses.problems
        self.needs = frozenset(addresses.needs)
        """What its style sheets need of the content security policy, each as `directive source`."""
        fresh = _Table({module.key: module for module in self._modules.all.values() if module.key}, self._described)
        if fresh != table:
            cache.save_table(_TABLE, fresh)

    @property
    def names(self) -> frozenset[str]:
        """Names that pages can use."""
        return frozenset(name for name in self.all if not name.startswith(PREFIX))

    @property
    def sources(self) -> list[str]:
        """Files of the site's components and slots, and what they import, without copies of packages."""
        return [path for path, module in self._modules.all.items() if module.is_authored]

    @property
    def content_slots(self) -> frozenset[str]:
        """What of articles the site draws itself."""
        return frozenset(name for name in CONTENT_SLOTS if f"{PREFIX}{name}" in self.all)

    @property
    def slots_key(self) -> str:
        """Hash what the site puts around all articles; empty where it puts nothing there."""
        parts = [f"{name} {self.all[PREFIX + name].key}" for name in self._page_slots]
        return digest(self._base_url, *parts) if parts else ""

    def page_slots(self, payload: PagePayload) -> dict[str, Use]:
        """List what is to be drawn around the article of a page: name of the place → use."""
        if not self._page_slots:
            return {}
        there = set(slots_of(payload))
        props = page_props(payload, self._title, self._base_url)
        return {
            name: Use(
                PREFIX + name,
                props,
                name in _REPLACING,
                False,
                Span(self.all[PREFIX + name].path),
                layout_parts(payload) if name == LAYOUT else {},
            )
            for name in self._page_slots
            if name in there
        }

    def key(self, kinds: Iterable[str]) -> str:
        """Hash the components among the kinds of a page's islands; empty where there are none."""
        names = (kind.removeprefix(COMPONENT_KIND) for kind in kinds if kind.startswith(COMPONENT_KIND))
        parts = [self.all[name].key for name in names if name in self.all]
        return digest(self._base_url, *parts) if parts else ""

    def files(self, kinds: Iterable[str]) -> dict[str, bytes]:
        """Write what browsers load for the islands of all pages: address in the published folder → content."""
        found: dict[str, bytes] = {}
        names = {kind.removeprefix(COMPONENT_KIND) for kind in kinds if kind.startswith(COMPONENT_KIND)}
        names |= {PREFIX + name for name in self._page_slots}
        # One that looks into its children brings those in them to life with itself, whatever they ask for.
        known = [self.all[name] for name in names if name in self.all]
        is_taken = any(one.children != NEVER for one in known) and client_of(known) != "none"
        for name in sorted(names):
            component = self.all.get(name)
            if component is not None and component.is_usable:
                found |= self._published.styles(component.path) | self._published.pictures(component.path)
                if component.client != "none" or name == _LAYOUT or is_taken:
                    found |= self._published.scripts(component.path)
        return found

    def looks_into(self, name: str, *, has_components: bool) -> bool:
        """Return whether a component wants its children as elements; `has_components`: some of them are components."""
        component = self.all.get(name)
        return component is not None and (
            component.children == ALWAYS or (has_components and component.children == NESTED)
        )

    def draw(self, uses: Sequence[Use]) -> list[Drawn]:
        """Draw uses, in order. Of those that are alike, wherever they are, one is drawn."""
        keys = [use_key(use) for use in uses]
        fresh = {key: use for key, use in zip(keys, uses, strict=True) if key not in self._answers}
        answers = self._ask(fresh) if fresh else {}
        self._answers |= {key: answer for key, answer in answers.items() if not answer.is_passing}
        return [self._finished(key, use, answers) for key, use in zip(keys, uses, strict=True)]

    def be_patient(self, seconds: float, tell: Callable[[], object]) -> None:
        """Wait for no component longer than this; what takes longer is drawn when its answer has come.

        Args:
            seconds: To wait.
            tell: Called by another thread when an answer has come; `settle` takes it over.
        """
        self._drawing.patience = seconds
        self._late.tell = tell

    def settle(self) -> bool:
        """Take over answers that have come late; returns whether the HTML of pages may have changed."""
        return self._late.settle()

    def forget_stops(self) -> None:
        """Let components that were stopped be drawn again when they are needed: perhaps the machine was busy."""
        self._drawing.forget_stops()

    def prepare_spare(self) -> None:
        """Start a process for the components as they will be after the next change; it needs a thread for a moment."""
        if self._spare is None:
            self._spare = Spare(_new_process(self._base_url))

    def take_spare(self, base_url: str) -> ComponentProcess | None:
        """Give away the process that was prepared for a site at this path; None where there is none."""
        if self._spare is None or base_url != self._base_url:
            return None
        spare, self._spare = self._spare, None
        return spare.take()

    def changed(self, before: SiteComponents) -> frozenset[str] | None:
        """List the kinds of islands whose HTML has changed; None where a change concerns other pages too."""
        is_same = self.all.keys() == before.all.keys() and self.slots_key == before.slots_key
        if not is_same or self.needs != before.needs:
            return None
        return frozenset(COMPONENT_KIND + name for name, one in self.all.items() if one != before.all[name])

    def knows(self, path: str) -> bool:
        """Return whether a file is one of a component, or is imported by one."""
        return path in self._modules.all or path in self._modules.typed

    def share(self, kinds: Iterable[str]) -> None:
        """Let processes that are forked from now on draw in one V8; `kinds` are those of the islands that they draw."""
        wanted = {kind.removeprefix(COMPONENT_KIND) for kind in kinds if kind.startswith(COMPONENT_KIND)}
        usable = [
            self.all[name] for name in sorted(wanted | self._around) if name in self.all and self.all[name].is_usable
        ]
        if not usable or not sys.platform.startswith("linux"):
            return
        with suppress(ComponentError):
            for component in usable:
                self._definitions.define(component.path)
            self._process.share()

    @property
    def _around(self) -> set[str]:
        return {PREFIX + name for name in self._page_slots}

    def close(self) -> None:
        """End the processes that draw."""
        self._late.close()
        self._process.close()
        if self._spare is not None:
            self._spare.close()

    # Reading

    def _add_slot(self, path: str, table: _Table) -> None:
        name = stem(path)
        if name not in SLOT_PROPS:
            close = nearest(name, SLOT_PROPS)
            message = f'No place of a page has the name "{name}", so nothing shows this file.'
            hint = f'Did you mean "{close}"?' if close else f"Places: {', '.join(SLOT_PROPS)}."
            self.problems.append(Diagnostic("slot", "error", Span(path), message, hint))
            return
        self._add(PREFIX + name, path, table)

    def _add(self, name: str, path: str, table: _Table) -> None:
        if name in self.all:
            message = f'"{self.all[name].path}" and "{path}" are both the component "{name}".'
            self.problems.append(Diagnostic("component", "error", Span(path), message, "Rename one of the two."))
            return
        self._modules.add(path)
        key = self._modules.key(path)
        is_whole = not any(
            problem.level == "error" for module in self._modules.below(path) for problem in module.problems
        )
        described = table.described.get(key) if is_whole else Exports("none", [])
        if described is None or described.problems:
            described = self._describe(name, path) if is_whole else described or Exports("none", [])
        is_waiting = described is None
        if described is None:
            described = Exports("none", [])
        else:
            self._described[key] = described
        self.problems += described.problems
        if described.idle is not None:
            self._idle[name] = described.idle
        module = self._modules.all[path]
        is_usable = is_whole and not is_waiting and not any(one.level == "error" for one in described.problems)
        children = described.children or self._wanted_children(path)
        self.all[name] = Component(name, path, key, described.client, module.line, is_usable, children, is_waiting)

    def _wanted_children(self, path: str) -> str:
        found = {module.needs_children for module in self._modules.below(path)}
        return next((kind for kind in (ALWAYS, NESTED) if kind in found), NEVER)

    def _describe(self, name: str, path: str) -> Exports | None:
        """Run a component's module to see what it exports; None where that takes long."""
        try:
            return self._definitions.describe(path, self._drawing.patience)
        except SlowError as slow:
            self._late.add(slow.late, lambda answer: self._settle(name, path, answer))
            return None

    def _settle(self, name: str, path: str, answer: Any) -> None:
        """Take the late answer to what a module exports."""
        described = self._definitions.judge(path, answer)
        self.problems += described.problems
        is_usable = not any(problem.level == "error" for problem in described.problems)
        before = self.all[name]
        self.all[name] = msgspec.structs.replace(before, client=described.client, is_usable=is_usable, is_waiting=False)

    # Drawing

    def _ask(self, uses: Mapping[bytes, Use]) -> dict[bytes, ComponentAnswer]:
        """Have uses drawn; those of components that cannot be drawn have no answer."""
        answers: dict[bytes, ComponentAnswer] = {}
        for name in dict.fromkeys(use.name for use in uses.values()):
            component = self.all.get(name)
            if component is not None and component.is_usable:
                group = {key: use for key, use in uses.items() if use.name == name}
                answers |= zip(group, self._drawing.ask(name, list(group.values()), list(group)), strict=True)
        return answers

    def _finished(self, key: bytes, use: Use, answers: Mapping[bytes, ComponentAnswer]) -> Drawn:
        if (drawn := self._drawn.get(key)) is not None:
            return drawn
        drawn = self._finish(use, self._answers.get(key) or answers.get(key))
        if drawn.problem is None and not drawn.is_passing and key in self._answers:
            self._drawn[key] = drawn
        return drawn

    def _request(self, use: Use) -> dict[str, Any]:
        component = self.all[use.name]
        trees = self._trees(use)
        used = [self.all[name] for name in (use.name, *(trees.uses if trees is not None else ()))]
        for one in used:
            self._definitions.define(one.path)
        return {
            "module": self._modules.key(component.path),
            "props": use.props,
            "hasChildren": use.has_children,
            "isLive": client_of(used) != "none" or bool(use.parts),
            "isInline": use.is_inline,
            "parts": dict(use.parts),
            "trees": trees.nodes if trees is not None else {},
            "modules": {one.name: self._modules.key(one.path) for one in used},
        }

    def _finish(self, use: Use, answer: ComponentAnswer | None) -> Drawn:
        """Put what was drawn into its island; in the place of what was not, readers see what it holds."""
        children = f"{SLOT}C0{SLOT}" if use.has_children else ""
        component = self.all.get(use.name)
        if answer is None or component is None:
            return Drawn(children, is_passing=component is not None and component.is_waiting)
        if answer.is_waiting:
            return Drawn(children, is_passing=True)
        wrong = self._properties.wrong_values(component.path, use, has_failed=bool(answer.error))
        if answer.error:
            message, hint = failure_message(use, answer.error)
            hint = hint or wrong
            return Drawn(
                children,
                self._definitions.finding(component.path, answer.place, message, hint),
                is_passing=answer.is_passing,
            )
        # A layout gets its parts from the theme, and not as properties.
        is_wrong = bool(wrong) and not use.parts
        problem = Diagnostic("component-props", "warn", use.span, wrong, _PROPS_HINT) if is_wrong else None
        trees = self._trees(use)
        doubt = find_doubt(use, answer, is_live=component.client != "none" or trees is not None)
        if doubt is not None:
            at, message, hint = doubt
            problem = problem or self._definitions.finding(component.path, at, message, hint, level="warn")
        drawn = answer.html
        if trees is not None:
            return self._finish_trees(component, use, drawn, trees, problem)
        if children and component.client == "none" and children not in drawn and use.name not in _WITHOUT_CHILDREN:
            problem = problem or hidden_children(component, use)
        if use.parts:
            return self._finish_layout(component, use, drawn, problem)
        module, links = self._files_of(component)
        if component.client == "none":
            return Drawn(links + drawn, problem or self._idle.get(use.name))
        return Drawn(links + write_island(component, use, drawn, module, component.client, None, {}), problem)

    def _trees(self, use: Use) -> Trees | None:
        """Read the content of a use as elements; None where it is given as HTML."""
        trees = build_trees(use)
        if trees is None or not all(name in self.all and self.all[name].is_usable for name in trees.uses):
            return None
        return trees

    def _finish_trees(
        self, component: Component, use: Use, drawn: str, trees: Trees, problem: Diagnostic | None
    ) -> Drawn:
        """Finish a component that was drawn together with those in its content."""
        inner = [self.all[name] for name in trees.uses]
        client = client_of([component, *inner])
        if client == "none" and (text := hidden_text(trees, drawn)):
            problem = problem or hidden_children(component, use, text)
        for one in trees.uses.values() if problem is None else ():
            wrong = self._properties.wrong_values(self.all[one.name].path, one)
            problem = problem or (
                Diagnostic("component-props", "warn", one.span, wrong, _PROPS_HINT) if wrong else None
            )
        files = {one.name: self._files_of(one) for one in [*inner, component]}
        links = "".join(dict.fromkeys(links for _, links in files.values()))
        module = files[component.name][0]
        if client != "none":
            modules = {one.name: files[one.name][0] for one in inner}
            drawn = write_island(component, use, drawn, module, client, trees, modules)
        return Drawn(links + fill_parts(drawn, trees.parts), problem)

    def _finish_layout(self, component: Component, use: Use, drawn: str, problem: Diagnostic | None) -> Drawn:
        """Finish the layout of a page; without its main part, or where it is not markup alone, the theme's is drawn."""
        missing = [name for name, is_there in use.parts.items() if is_there and f"{SLOT}{name}{SLOT}" not in drawn]
        if "main" in missing:
            return Drawn("", self._slot_finding(component, "The layout does not show `main`, the text of the page."))
        if f"{SLOT}ID{SLOT}" in drawn:
            return Drawn(
                "", self._slot_finding(component, "A layout cannot use `useId`: its ids are not those of the browser.")
            )
        module, styles = self._files_of(component)
        return Drawn(drawn, problem, json.dumps({"module": module, "styles": styles}, separators=(",", ":")))

    def _files_of(self, component: Component) -> tuple[str, str]:
        """Give the address of a component's module, and the links of its style sheets."""
        path = component.path
        if path not in self._files:
            links = "".join(
                f'<link rel="stylesheet" href="{html.escape(self._base_url + address)}">'
                for address in self._published.styles(path)
            )
            self._files[path] = (self._base_url + self._published.address(path), links)
        return self._files[path]

    def _slot_finding(self, component: Component, message: str) -> Diagnostic:
        hint = "Until then pages have the layout of the theme."
        path = component.path
        return place_finding("slot", "error", path, component.line, 1, message, self._definitions.read(path), hint)


def _new_process(base_url: str) -> ComponentProcess:
    return ComponentProcess(base_url, seconds=SECONDS, memory=MEMORY)


_SCRIPTS_OF_THEME = ("compile-script.js", "component-server.js", "web-apis.js")
