"""Ask for uses of components to be drawn, bounded in what any of them may cost the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from octavo.components.component import Component
from octavo.components.conversation import ComponentError, DamagedError, LateAnswers, SlowError, TurnError
from octavo.components.process import ComponentProcess, are_drawn
from octavo.components.slots import CONTENT_SLOTS, LAYOUT
from octavo.diagnostics import Diagnostic
from octavo.lazy import regex as re
from octavo.rendering import Use

CHANGING_HINT = "Set it in an effect: useState(null), and useEffect(() => setValue(…), [])."
MISPLACED_HINT = "Use an element that may be there, such as <div> for <p>; <tr> needs a <tbody> around it."
PRINTED_HINT = "Take console.log out of the component when it is finished."
MAIN_HINT = "Write <div> or <section>."
HIDDEN_HINT = "Browsers draw it again; readers without scripts, search and printers have the fallback."
UNFINISHED_HINT = 'Import what it waits for, or write export const client = "visible".'
_HINTS = (
    (re.compile(r"^React is not defined"), 'Write import React from "react" in this file.'),
    (
        re.compile(r"^process is not defined"),
        'Neither the build nor a browser has `process`; only process.env.NODE_ENV is known, which is "production".',
    ),
    (re.compile(r"^(?:__dirname|__filename|Buffer|global) is not defined"), "Only Node has it: do without it."),
)
"""What helps where a program was written for elsewhere."""
_OF_BROWSERS = """window self document navigator location history screen localStorage sessionStorage indexedDB caches fetch Headers Request
Response FormData Blob File URL URLSearchParams XMLHttpRequest WebSocket EventSource Worker MessageChannel BroadcastChannel
AbortController Event CustomEvent EventTarget Node Element HTMLElement SVGElement Image Audio DOMParser MutationObserver
ResizeObserver IntersectionObserver customElements matchMedia getComputedStyle requestAnimationFrame cancelAnimationFrame
requestIdleCallback setTimeout setInterval queueMicrotask performance crypto structuredClone TextEncoder TextDecoder atob btoa alert
confirm prompt"""
_BROWSER_ONLY = re.compile(rf"^(?:{'|'.join(_OF_BROWSERS.split())}) is not defined")
_LAYOUT = f"slot:{LAYOUT}"
_MAIN = re.compile(r"<main[\s/>]")
_LONGEST_ERROR = 1_000
"""Characters that are shown of what a component throws."""
_SHOWN = 60
"""Characters of a text that a message shows."""
_MOST_STOPS = 2
"""Uses of one component that are stopped for their time or memory; a thousand of them would hold a build up for an hour."""


class ComponentAnswer(msgspec.Struct, frozen=True):
    """What has become of a use."""

    html: str = ""
    error: str = ""
    """Why there is none."""
    place: Mapping[str, Any] | None = None
    """Where the error was thrown, or where it asks for a value that changes."""
    is_changing: bool = False
    """What is drawn depends on the time or on a random number, and browsers draw it again."""
    is_passing: bool = False
    """At another time it may be another: the use was stopped, or is still being drawn."""
    is_waiting: bool = False
    """It is still being drawn."""
    is_unfinished: bool = False
    """It shows its fallback, since it waits for something that a build does not wait for."""
    misplaced: str = ""
    """An element that browsers put elsewhere, and where it is: `<div> within <p>`."""
    printed: Mapping[str, Any] | None = None
    """What it has printed: `text`, and the `place` of the first line."""
    hidden: Mapping[str, Any] | None = None
    """Why it shows the fallback of a `Suspense`: `error`, and its `place`."""


_WAITING = ComponentAnswer(is_passing=True, is_waiting=True)


class BoundedDrawing:
    """Draws the components of a site."""

    def __init__(self, process: ComponentProcess, late: LateAnswers, request: Callable[[Use], dict[str, Any]]) -> None:
        """Initialize.

        Args:
            process: Draws.
            late: Waits for what takes long, where a patience is set.
            request: Makes the request of a use; its component's modules are there then.
        """
        self.patience: float | None = None
        """Seconds after which nobody waits here for a use any more; None waits up to the limit."""
        self._process = process
        self._late = late
        self._request = request
        self._stops: dict[str, int] = {}
        """Name of a component → how often it had to be stopped."""
        self._waited: set[str] = set()
        """Components of which a use is still being drawn."""
        self._alone: set[str] = set()
        """Components that are drawn one use at a time, since one of their uses has stopped others."""
        self._came: dict[bytes, ComponentAnswer] = {}
        """Key of a use → answer that came late."""

    def forget_stops(self) -> None:
        """Let components that were stopped be drawn again when they are needed: perhaps the machine was busy."""
        self._stops.clear()
        self._alone.clear()
        self._came.clear()

    def ask(self, name: str, uses: Sequence[Use], keys: Sequence[bytes]) -> list[ComponentAnswer]:
        """Draw uses of one component.

        Args:
            name: The component.
            uses: Its uses.
            keys: What each is drawn from.
        """
        answers = {key: self._came[key] for key in keys if key in self._came}
        fresh = [(key, use) for key, use in zip(keys, uses, strict=True) if key not in answers]
        if not fresh:
            pass
        elif self.patience is None:
            answers |= zip((key for key, _ in fresh), self._together([use for _, use in fresh]), strict=True)
        else:
            answers |= self._patiently(name, fresh)
        return [answers[key] for key in keys]

    # Here

    def _together(self, uses: list[Use], *, is_again: bool = False) -> list[ComponentAnswer]:
        """Draw uses of a component together; where that is stopped each by itself, so that the others are drawn."""
        name = uses[0].name
        if self._stops.get(name, 0) < _MOST_STOPS:
            try:
                requests = [self._request(use) for use in uses]
                return [_answer(one) for one in self._process.draw(requests)]
            except TurnError:
                return self._together(uses)
            except ComponentError as error:
                if isinstance(error, DamagedError) and not is_again:
                    return self._together(uses, is_again=True)
                if len(uses) == 1:
                    return [self._stop(name, error)]
            return [answer for use in uses for answer in self._together([use])]
        return [_STOPPED] * len(uses)

    def _stop(self, name: str, error: ComponentError) -> ComponentAnswer:
        self._stops[name] = self._stops.get(name, 0) + 1
        return ComponentAnswer(error=str(error), is_passing=True)

    # In the time that others have

    def _patiently(self, name: str, fresh: list[tuple[bytes, Use]]) -> dict[bytes, ComponentAnswer]:
        """Draw uses as long as that takes no time that others would wait; of the rest, the answers come late."""
        groups = [[one] for one in fresh] if name in self._alone else [fresh]
        answers: dict[bytes, ComponentAnswer] = {}
        for group in groups:
            if self._stops.get(name, 0) >= _MOST_STOPS:
                answers |= dict.fromkeys((key for key, _ in group), _STOPPED)
            elif name in self._waited:
                answers |= dict.fromkeys((key for key, _ in group), _WAITING)
            else:
                answers |= self._group(name, group)
        return answers

    def _group(
        self, name: str, group: list[tuple[bytes, Use]], *, is_again: bool = False
    ) -> dict[bytes, ComponentAnswer]:
        keys = [key for key, _ in group]
        try:
            requests = [self._request(use) for _, use in group]
            drawn = self._process.draw(requests, self.patience)
        except SlowError as slow:
            self._waited.add(name)
            self._late.add(slow.late, lambda answer: self._come(name, keys, answer))
            return dict.fromkeys(keys, _WAITING)
        except ComponentError as error:
            if isinstance(error, DamagedError) and not is_again:
                return self._group(name, group, is_again=True)
            if len(group) > 1:
                self._alone.add(name)
                return self._patiently(name, group)
            return {keys[0]: self._stop(name, error)}
        return dict(zip(keys, map(_answer, drawn), strict=True))

    def _come(self, name: str, keys: list[bytes], answer: Any) -> None:
        """Take an answer that has come late."""
        self._waited.discard(name)
        if are_drawn(answer, len(keys)):
            self._came |= zip(keys, map(_answer, answer), strict=True)
        elif len(keys) > 1:
            self._alone.add(name)
        else:
            error = answer if isinstance(answer, ComponentError) else ComponentError("its answer cannot be read")
            self._came[keys[0]] = self._stop(name, error)


def _answer(drawn: Mapping[str, Any]) -> ComponentAnswer:
    return ComponentAnswer(
        drawn.get("html") or "",
        drawn.get("error") or "",
        drawn.get("place"),
        drawn.get("isChanging") is True,
        is_unfinished=drawn.get("isWaiting") is True,
        misplaced=str(drawn.get("misplaced") or ""),
        printed=drawn.get("printed"),
        hidden=drawn.get("hidden"),
    )


_STOPPED = ComponentAnswer(
    error=f"it was stopped {_MOST_STOPS} times, so its other uses are not drawn", is_passing=True
)


def failure_message(use: Use, error: str) -> tuple[str, str]:
    """Say that a use fails: message and hint, which may be empty."""
    what, _, place = use.name.rpartition(":")
    where = "" if what and place not in CONTENT_SLOTS else f" It is used at {use.span}."
    shown = error[:_LONGEST_ERROR].rstrip(".")
    return f'The {what or "component"} "{place}" fails: {shown}.{where}', error_hint(error)


def error_hint(error: str) -> str:
    """Say what helps against an error that a program throws in the build; empty where that is not known."""
    if _BROWSER_ONLY.match(error):
        return "This exists in browsers only: use it in an effect or in a handler of events."
    return next((hint for pattern, hint in _HINTS if pattern.match(error)), "")


def find_doubt(use: Use, answer: ComponentAnswer, *, is_live: bool) -> tuple[Mapping[str, Any] | None, str, str] | None:
    """Find why readers see something else than what was drawn.

    Args:
        use: What was drawn.
        answer: What came of it.
        is_live: It is hydrated.

    Returns:
        Place in the component's file, message and hint; or None.
    """
    what, _, name = use.name.rpartition(":")
    shown = f'The {what or "component"} "{name}"'
    if answer.is_changing:
        message = (
            f"{shown} shows the time or a random number, so browsers draw something else than the build did, and React "
            "draws it anew."
        )
        return answer.place, message, CHANGING_HINT
    if answer.misplaced:
        message = (
            f"{shown} shows {answer.misplaced}, which HTML does not allow: browsers put it elsewhere, and React draws it "
            "anew."
        )
        return None, message, MISPLACED_HINT
    if use.name != _LAYOUT and _MAIN.search(answer.html):
        return (
            None,
            f"{shown} shows <main>, which every page has already: screen readers find two main parts.",
            MAIN_HINT,
        )
    if answer.is_unfinished and not is_live:
        message = f"{shown} shows only the fallback of what it loads: it is not hydrated, so nothing is loaded."
        return None, message, UNFINISHED_HINT
    if answer.hidden is not None:
        message = f"{shown} shows the fallback of its Suspense, because the build fails within it: {answer.hidden['error'].rstrip('.')}."
        return answer.hidden["place"], message, HIDDEN_HINT
    if answer.printed is not None:
        return answer.printed["place"], f"{shown} prints: {printed_text(answer.printed)}.", PRINTED_HINT
    return None


def printed_text(printed: Mapping[str, Any]) -> str:
    """Write what a component has printed in one line."""
    return str(printed["text"]).rstrip(".").replace("\n", " | ")


def hidden_children(component: Component, use: Use, text: str = "") -> Diagnostic:
    """Say that what is between the tags of a use is on no page; a component that comes alive may show it later."""
    kind, _, name = use.name.rpartition(":")
    shown = f'The {kind} "{name}"' if kind else f"<{name}>"
    what = f'"{text[:_SHOWN]}"' if text else "what it is given as content"
    message = f"{shown} does not show {what} here, so no reader sees it ({component.path})."
    return Diagnostic(
        "component-props", "warn", use.span, message, "Show `children` in the component, or take the content out."
    )


def use_key(use: Use) -> bytes:
    """Give what a use is drawn from, without its place."""
    parts = dict(use.parts)
    key = (use.name, use.props, use.has_children, use.is_inline, parts, _contents_key(use))
    return msgspec.json.encode(key, order="deterministic")


def _contents_key(use: Use) -> Any:
    return {
        name: (content.html, [(inner.name, inner.props, _contents_key(inner)) for inner in content.uses.values()])
        for name, content in use.contents.items()
    }
