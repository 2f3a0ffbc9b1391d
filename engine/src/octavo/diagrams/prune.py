"""Take out of Mermaid's SVG what nothing shows: definitions without use, and all that is not part of a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

from octavo.diagrams.styles import local_name
from octavo.lazy import regex as re

_DEFINITIONS = frozenset({"marker", "linearGradient", "radialGradient", "clipPath", "symbol"})
_NEVER = frozenset({"filter", "script", "animate", "animateTransform", "animateMotion", "set", "image", "metadata"})
_WITHOUT_SIZE = frozenset({"circle", "ellipse", "line", "polyline", "polygon", "path", "g", "text", "tspan"})
"""Elements whose width and height SVG does not know; Mermaid gives them to the end of a state diagram."""
_REFERENCE = re.compile(r"url\(\s*[\"']?#([^)\"']+)|^#(.+)")


def prune(root: ET.Element) -> None:
    """Remove what is never shown, and definitions that nothing names, also those that only such definitions name."""
    for element in root.iter():
        if local_name(element) in _WITHOUT_SIZE:
            for name in ("width", "height"):
                element.attrib.pop(name, None)
    _remove(root, lambda element: local_name(element) in _NEVER)
    while _remove(root, _is_unused(_references(root))):
        pass


def _is_unused(used: set[str]) -> Callable[[ET.Element], bool]:
    return lambda element: local_name(element) in _DEFINITIONS and element.get("id") not in used


def _references(root: ET.Element) -> set[str]:
    texts = [value for element in root.iter() for name, value in element.attrib.items() if name != "id"]
    texts += [element.text or "" for element in root.iter() if local_name(element) == "style"]
    return {first or second for text in texts for first, second in _REFERENCE.findall(text)}


def _remove(root: ET.Element, is_unwanted: Callable[[ET.Element], bool]) -> int:
    count = 0
    for parent in list(root.iter()):
        for child in list(parent):
            if is_unwanted(child):
                _drop(parent, child)
                count += 1
    return count


def _drop(parent: ET.Element, child: ET.Element) -> None:
    """Remove a child, and keep the text behind it."""
    if child.tail:
        index = list(parent).index(child)
        if index:
            parent[index - 1].tail = (parent[index - 1].tail or "") + child.tail
        else:
            parent.text = (parent.text or "") + child.tail
    parent.remove(child)
