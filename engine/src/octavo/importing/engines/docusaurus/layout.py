"""Top bar, footer, announcement bar and colours of Docusaurus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, github_icon, is_external, local_href, without_empty
from octavo.importing.model import Plan
from octavo.importing.tree import Tree


class Layout:
    """Writes the layout around the pages (top bar, footer, announcement) into a plan."""

    def __init__(
        self, plan: Plan, config: Mapping[str, Any], trees: Mapping[str, Tree], bases: Mapping[str, str]
    ) -> None:
        """Initialize.

        Args:
            plan: Takes the settings.
            config: Configuration of Docusaurus.
            trees: Id of an instance of the docs plug-in → its documents.
            bases: The same → beginning of their routes, without slashes.
        """
        self._plan = plan
        self._theme = as_dict(config.get("themeConfig"))
        self._trees = trees
        self._bases = bases
        self._base_url = plan.settings.get("base_url", "/")
        self._dropped = 0

    def write(self) -> None:
        """Write all of it."""
        settings = self._plan.settings
        navbar = as_dict(self._theme.get("navbar"))
        settings["navbar"] = without_empty(
            {
                "title": as_text(navbar.get("title")),
                "hide_on_scroll": navbar.get("hideOnScroll") is True,
                "logo": self._logo(navbar.get("logo"), as_text(navbar.get("title")) or settings["title"]),
                "items": list(self._items(navbar.get("items"))),
            }
        )
        settings["footer"] = self._footer(as_dict(self._theme.get("footer")))
        mode = as_dict(self._theme.get("colorMode"))
        settings["color_mode"] = {
            "default": "dark" if mode.get("defaultMode") == "dark" else "light",
            "respect_system": mode.get("respectPrefersColorScheme") is True,
            "has_switch": mode.get("disableSwitch") is not True,
        }
        self._announcement(as_dict(self._theme.get("announcementBar")))
        if self._dropped:
            self._plan.note(
                "HTML and items of plug-ins in the top bar", "Write links into [navbar].", count=self._dropped
            )

    def _logo(self, raw: Any, title: str) -> dict[str, Any] | None:
        logo = as_dict(raw)
        if not logo.get("src"):
            return None
        return without_empty(
            {
                "src": local_href(as_text(logo["src"]), self._base_url),
                "src_dark": local_href(as_text(logo["srcDark"]), self._base_url) if logo.get("srcDark") else None,
                "alt": as_text(logo.get("alt")) or title,
                "href": local_href(as_text(logo["href"]), self._base_url) if logo.get("href") else None,
            }
        )

    def _items(self, items: Any, *, is_inner: bool = False) -> Iterator[dict[str, Any]]:
        for item in map(as_dict, as_list(items)):
            written = self._item(item)
            if written is None:
                self._dropped += item.get("type") != "search"
                continue
            if item.get("position") == "right" and not is_inner:
                written["position"] = "right"
            yield written

    def _item(self, item: dict[str, Any]) -> dict[str, Any] | None:
        kind, label = item.get("type"), as_text(item.get("label"))
        if kind in ("docsVersionDropdown", "docsVersion"):
            return {"type": "version", "label": label or "Version"}
        if kind == "localeDropdown":
            return {"type": "locale", "label": label or "Language"}
        if kind in ("html", "search") or (isinstance(kind, str) and kind.startswith("custom-")):
            return None
        inner = list(self._items(item.get("items"), is_inner=True))
        if inner:
            return {"label": label, "items": inner}
        instance = as_text(item.get("docsPluginId"), "default")
        if kind == "docSidebar":
            name = as_text(item.get("sidebarId"))
            prefix = (
                f"{instance}-"
                if any(one["id"] == f"{instance}-{name}" for one in self._plan.settings["sidebars"])
                else ""
            )
            known = {one["id"] for one in self._plan.settings["sidebars"]}
            return {"label": label or name, "sidebar": prefix + name} if prefix + name in known else None
        if kind == "doc":
            href = self._doc_href(as_text(item.get("docId")), instance)
            return {"label": label or as_text(item.get("docId")), "href": href} if href else None
        href = as_text(item.get("to")) or as_text(item.get("href"))
        if not href:
            return None
        icon = github_icon(href) if is_external(href) and not label else {}
        label = label or as_text(item.get("aria-label")) or icon.get("icon", "").title().replace("Github", "GitHub")
        if not label:
            return None
        return {"label": label, "href": local_href(href, self._base_url), **icon}

    def _doc_href(self, doc_id: str, instance: str) -> str | None:
        tree = self._trees.get(instance) or next(iter(self._trees.values()), None)
        if tree is None:
            return None
        base = self._bases.get(instance, "")
        file = tree.by_id(doc_id) or tree.by_id(f"{tree.root}/{doc_id}")
        prefix = f"/{base}" if base else ""
        return tree.route(file, prefix) if file else None

    def _footer(self, footer: dict[str, Any]) -> dict[str, Any]:
        links = [as_dict(one) for one in as_list(footer.get("links"))]
        columns = [
            {"title": as_text(one.get("title")), "items": self._footer_items(one.get("items"))}
            for one in links
            if "items" in one
        ]
        flat = self._footer_items([one for one in links if "items" not in one])
        if flat:
            columns.append({"title": "", "items": flat})
        return without_empty(
            {
                "logo": self._logo(footer.get("logo"), self._plan.settings["title"]),
                "copyright": as_text(footer.get("copyright")),
                "columns": [one for one in columns if one["items"]],
            }
        )

    def _footer_items(self, items: Any) -> list[dict[str, Any]]:
        found = []
        for item in map(as_dict, as_list(items)):
            href, label = as_text(item.get("to")) or as_text(item.get("href")), as_text(item.get("label"))
            if href and label:
                found.append({"label": label, "href": local_href(href, self._base_url)})
            elif item.get("html"):
                self._dropped += 1
        return found

    def _announcement(self, bar: dict[str, Any]) -> None:
        if not bar.get("content"):
            return
        written = {
            "id": as_text(bar.get("id"), "announcement"),
            "content": as_text(bar["content"]),
            "background": as_text(bar.get("backgroundColor")),
            "color": as_text(bar.get("textColor")),
            "is_closeable": bar.get("isCloseable") is not False,
        }
        self._plan.settings["announcements"] = [without_empty(written)]
