"""`<Tabs>` and `<TabItem>`: an island whose children are the panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from octavo.content.audit.attributes import check_attributes
from octavo.content.document import SLOT, Island
from octavo.content.scan.nodes import PLACEHOLDER, PLACEHOLDER_OR_MARK, Element
from octavo.content.slugger import slugify
from octavo.content.source import Fragment

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer


class _Panel(msgspec.Struct, frozen=True):
    value: str
    label: str
    node: Element


def draw_tabs(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw a group of tabs: its island's slot, and bold labels with their content as Markdown."""
    panels = _collect_panels(node, renderer)
    if not panels:
        _report(node, renderer, '"<Tabs>" has no "<TabItem>" in it.', 'Write <TabItem value="a" label="A">…</TabItem>.')
        return "", ""
    labels = node.attributes.get("items")
    if isinstance(labels, list) and len(labels) > len(panels) and all(isinstance(one, str) for one in labels):
        message = f'"items" names the tab "{labels[len(panels)]}", which has no content.'
        _report(node, renderer, message, "Write its tab, or take the name out.")
    props = {
        "groupId": _text(node.attributes.get("groupId")) or _text(node.attributes.get("syncKey")),
        "queryString": _query_name(node, renderer),
        "defaultValue": _default_value(node, panels, renderer),
        "tabs": [{"value": panel.value, "label": panel.label} for panel in panels],
        "isLazy": node.attributes.get("lazy", False) is not False,
    }
    return _draw_panels(panels, props, renderer)


def is_group(node: Element, renderer: NodeRenderer) -> bool:
    """Whether a component holds nothing but tabs, as one does that is drawn as a group of them."""
    lines = [line for line in (node.body.text if node.body else "").split("\n") if line.strip()]
    inner = [renderer.scope.nodes[int(match[1])] for line in lines if (match := PLACEHOLDER.fullmatch(line))]
    return (
        bool(lines)
        and len(inner) == len(lines)
        and all(isinstance(one, Element) and one.name == "TabItem" for one in inner)
    )


def draw_group(items: list[Element], renderer: NodeRenderer, group_id: str | None = None) -> tuple[str, str]:
    """Draw tabs that follow each other without an element around them."""
    panels: dict[str, _Panel] = {}
    for item in items:
        label = str(item.attributes["label"])
        value = label if label not in panels else f"{label}-{len(panels) + 1}"
        panels[value] = _Panel(value, label, item)
    chosen = next((value for value, panel in panels.items() if "default" in panel.node.attributes), next(iter(panels)))
    props = {
        "groupId": group_id,
        "queryString": None,
        "defaultValue": chosen,
        "tabs": [{"value": panel.value, "label": panel.label} for panel in panels.values()],
        "isLazy": False,
    }
    return _draw_panels(list(panels.values()), props, renderer)


def _draw_panels(panels: list[_Panel], props: dict[str, Any], renderer: NodeRenderer) -> tuple[str, str]:
    renderer.context.prose("label", ", ".join([panel.label for panel in panels]))
    if made_of := renderer.fragment.source.dialect.tab_ids:
        above = renderer.context.headings[-1:] if made_of != "labels" else []
        title = above[0].anchor or renderer.context.slugger.slug_of(above[0].text) if above else ""
        for tab in props["tabs"]:
            slug = slugify(tab["label"].strip()) or "tab"
            renderer.context.tabs.append((tab, f"{title}-{slug}" if title else slug))
    index = renderer.context.reserve_island()
    children: list[str] = []
    sections: list[str] = []
    for panel in panels:
        html, markdown = renderer.nested(panel.node.body, "tab") if panel.node.body is not None else ("", "")
        children.append(html)
        sections.append(f"**{panel.label}**\n\n{markdown.strip()}".rstrip())
    renderer.context.islands[index] = Island("tabs", props, children)
    return f"{SLOT}I{index}{SLOT}", "\n\n".join(sections)


def draw_stray_item(node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Report a tab outside of a group, and draw its content."""
    _report(node, renderer, '"<TabItem>" is outside of "<Tabs>".', "Put it between <Tabs> and </Tabs>.")
    return renderer.nested(node.body, renderer.kind) if node.body is not None else ("", "")


def _collect_panels(node: Element, renderer: NodeRenderer) -> list[_Panel]:
    labels = _given_labels(node, renderer)
    panels: dict[str, _Panel] = {}
    for item in _items(node, renderer):
        value = _text(item.attributes.get("value")) or _text(item.attributes.get("label"))
        if value is None:
            _report(
                item, renderer, 'A "<TabItem>" has neither "value" nor "label".', 'Write <TabItem value="a" label="A">.'
            )
            value = f"tab-{len(panels) + 1}"
        if value in panels:
            _report(item, renderer, f'The tab value "{value}" is used twice in one "<Tabs>".', "Give each tab its own.")
            continue
        label = _text(item.attributes.get("label")) or labels.get(value) or value
        panels[value] = _Panel(value, label, item)
    for value in labels.keys() - panels.keys():
        _report(node, renderer, f'"values" names the tab "{value}", which has no "<TabItem>".', "")
    order = [value for value in labels if value in panels]
    return [panels[value] for value in dict.fromkeys((*order, *panels))]


def _given_labels(node: Element, renderer: NodeRenderer) -> dict[str, str]:
    """Read `values={[{label, value}]}`: value → label, in order."""
    given = node.attributes.get("values")
    if given is None:
        return {}
    labels: dict[str, str] = {}
    entries: list[Any] = given if isinstance(given, list) else [None]
    for entry in entries:
        value = _text(entry.get("value")) if isinstance(entry, dict) else None
        if value is None:
            hint = "Write values={[{label: 'A', value: 'a'}]}."
            _report(node, renderer, 'The "values" of "<Tabs>" are not a list of labels and values.', hint)
        elif value in labels:
            _report(node, renderer, f'The tab value "{value}" is used twice in one "<Tabs>".', "Give each tab its own.")
        else:
            labels[value] = _text(entry.get("label")) or value
    return labels


def _items(node: Element, renderer: NodeRenderer) -> list[Element]:
    """Find the tabs of a group; any other content between them is reported."""
    items: list[Element] = []
    position = 0
    body = node.body or Fragment(renderer.fragment.source, "", [0], [node.offset])
    for line in body.text.split("\n"):
        match = PLACEHOLDER.fullmatch(line)
        inner = renderer.scope.nodes[int(match[1])] if match else None
        if isinstance(inner, Element) and inner.name == "TabItem":
            check_attributes(inner, renderer)
            items.append(inner)
        elif line.strip() and not line.strip().startswith("<!--"):
            offset = body.origin(position + len(line) - len(line.lstrip()))
            _report_other(inner, line, offset, renderer)
        position += len(line) + 1
    return items


def _report_other(inner: Any, line: str, offset: int, renderer: NodeRenderer) -> None:
    if isinstance(inner, Element):
        what, offset = f"<{inner.name}>", inner.offset
    elif inner is not None and hasattr(inner, "offset"):
        what, offset = ":::", inner.offset
    else:
        what = PLACEHOLDER_OR_MARK.sub("", line).strip()[:40] or "…"
    renderer.context.report(
        "error",
        "tabs",
        f'"{what}" is in "<Tabs>", which can contain only "<TabItem>"; it is left out.',
        renderer.fragment.source,
        offset,
        suggestion="Move it into one of the tabs, or out of the group.",
    )


def _query_name(node: Element, renderer: NodeRenderer) -> str | None:
    given = node.attributes.get("queryString")
    if given is True:
        name = _text(node.attributes.get("groupId"))
        if name is None:
            hint = 'Write queryString="name", or give a groupId.'
            _report(node, renderer, '"queryString" takes the name of the "groupId", which is not given.', hint)
        return name
    return _text(given)


def _default_value(node: Element, panels: list[_Panel], renderer: NodeRenderer) -> str | None:
    """Value of the tab that is chosen at first; None where `defaultValue={null}` asks for none."""
    fallback = next(
        (panel.value for panel in panels if panel.node.attributes.get("default", False) is not False), panels[0].value
    )
    if "defaultValue" not in node.attributes:
        return fallback
    given = node.attributes["defaultValue"]
    if given is None:
        return None
    value = _text(given)
    values = [panel.value for panel in panels]
    # Fumadocs makes values of labels: in small letters, with hyphens.
    alike = next((one for one in values if one.lower().replace(" ", "-") == (value or "").lower()), value)
    value = value if value in values else alike
    if value not in values:
        hint = f"Known values: {', '.join(values)}."
        _report(node, renderer, f'The default tab "{given}" is none of the tabs.', hint)
        return fallback
    return value


def _text(value: Any) -> str | None:
    """An attribute as text; numbers count, other values don't."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return None


def _report(node: Element, renderer: NodeRenderer, message: str, suggestion: str) -> None:
    renderer.context.report("error", "tabs", message, renderer.fragment.source, node.offset, suggestion=suggestion)
