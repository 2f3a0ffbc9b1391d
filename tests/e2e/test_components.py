"""Components of authors in a browser: static, hydrated at once, hydrated when visible, in a slot; and their failures."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served, publish_site, serve_folder

from .conftest import OpenReader
from .pages import settings

COUNTER = """
import { useState, type ReactNode } from "react";
import { step } from "./lib/step";

export const client = "CLIENT";

export default function Name({ label, children }: { label: string; children?: ReactNode }) {
  const [count, setCount] = useState(0);
  if (count > 2) throw new Error(`too many of ${label}`);
  return (
    <div>
      <button onClick={() => setCount(count + step)}>{label} {count}</button>
      {count > 0 && children}
    </div>
  );
}
"""
FILES = {
    "octavo.toml": 'title = "Site"\n[search]\nis_enabled = false\n',
    "components/Plain.tsx": "export default ({ text }) => <p id='plain'>{text}</p>;\n",
    "components/Early.tsx": COUNTER.replace("CLIENT", "load"),
    "components/Late.tsx": COUNTER.replace("CLIENT", "visible"),
    "components/lib/step.ts": "export const step: number = 1;\n",
    "slots/footer.tsx": (
        'import { useState } from "react";\nexport const contract = 1;\nexport const client = "idle";\n'
        "export default function Footer({ page, children }) {\n  const [on, set] = useState(false);\n"
        "  return <div><button onClick={() => set(!on)}>{page.title} {on ? 'on' : 'off'}</button>{children}</div>;\n}\n"
    ),
    "components/lib/Leaf.tsx": "export default () => <b>leaf</b>;\n",
    "components/Mode.module.css": ".on { color: rgb(1, 2, 3) }\n.off { composes: on }\n:global(body) .on { margin: 7px }\n",
    "components/Mode.tsx": (
        'import { lazy, Suspense, useEffect, useState } from "react";\nimport { useColorMode } from "octavo";\n'
        'import styles from "./Mode.module.css";\n'
        'export const client = "load";\nconst Leaf = lazy(() => import("./lib/Leaf"));\n'
        "export default function Mode() {\n  const [on, set] = useState(false);\n  useEffect(() => set(true), []);\n"
        '  return <p id="mode" data-on={String(on)} className={on ? styles.on : styles.off}>{useColorMode()} <Suspense fallback="wait"><Leaf /></Suspense></p>;\n}\n'
    ),
    "components/Differ.tsx": (
        'import { useState } from "react";\nexport const client = "load";\nexport default function Differ() {\n'
        "  const [count, set] = useState(0);\n"
        "  return <button onClick={() => set(count + 1)}>{typeof window === 'undefined' ? 'built' : 'browser'} {count}</button>;\n}\n"
    ),
    "differ.md": "# Differ\n\n<Differ />\n",
    "mode.md": "# Mode\n\n<Mode />\n",
    "index.md": (
        '# Home\n\n<Plain text="drawn" />\n\n<Early label="Early">\n\nIt says [more](./more.md).\n\n'
        '<Early label="Inner" />\n\n</Early>\n\n<div style="height: 3000px"></div>\n\n<Late label="Late" />\n'
    ),
    "more.md": '# More\n\n<Late label="Other" />\n',
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("components")
    for path, text in FILES.items():
        file = folder / "site" / (path if path.startswith(("octavo", "comp", "slots")) else f"docs/{path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    publish_site(folder / "site", folder / "out")
    with serve_folder(folder / "out", folder / "server.log") as served:
        yield served


def test_components_are_drawn_and_come_alive_when_they_say(site: Served, open_reader: OpenReader) -> None:
    reader = open_reader(site)
    page = reader.page
    expect(page.locator("#plain")).to_have_text("drawn")
    asked = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [name for name in asked if "Plain" in name or "Late" in name]
    # The content of the component appears later, and what is in it comes alive too.
    early = page.locator("[data-source='components/Early.tsx'][data-live]")
    expect(early).to_have_count(1)
    page.get_by_role("button", name="Early 0").click()
    expect(page.get_by_role("link", name="more", exact=True)).to_be_visible()
    expect(early).to_have_count(2)
    page.get_by_role("button", name="Inner 0").click()
    expect(page.get_by_role("button", name="Inner 1")).to_be_visible()
    late = page.get_by_role("button", name="Late 0")
    late.scroll_into_view_if_needed()
    expect(page.locator("[data-source='components/Late.tsx'][data-live]")).to_have_count(1)
    late.click()
    expect(page.get_by_role("button", name="Late 1")).to_be_visible()
    expect(page.locator(".slot-footer [data-live]")).to_have_count(1)
    page.get_by_role("button", name="Home off").click()
    expect(page.get_by_role("button", name="Home on")).to_be_visible()
    # The same code on another page, in the same document; the slot says that page's title.
    reader.mark_document()
    page.get_by_role("link", name="more", exact=True).click()
    reader.expect_heading("More")
    expect(page.locator("[data-source='components/Late.tsx'][data-live]")).to_have_count(1)
    page.get_by_role("button", name="Other 0").click()
    expect(page.get_by_role("button", name="Other 1")).to_be_visible()
    expect(page.get_by_role("button", name="More off")).to_be_visible()
    reader.expect_same_document()


def test_failing_component_names_the_place_and_leaves_what_was_drawn(site: Served, open_reader: OpenReader) -> None:
    reader = open_reader(site, "/more")
    page = reader.page
    expect(page.locator("[data-source='components/Late.tsx'][data-live]")).to_have_count(1)
    with page.expect_console_message(lambda message: "too many" in message.text) as console:
        for count in range(3):
            page.get_by_role("button", name=f"Other {count}").click()
    assert console.value.text.startswith("components/Late.tsx:9:24: too many of Other")
    box = page.locator(".prose [role=alert]")
    expect(box).to_have_text(re.compile(r"components/Late\.tsx:9:24: too many of Other"))
    expect(page.get_by_role("button", name="Other 0")).to_be_visible()
    reader.watch.forgive("too many of Other")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_mode_and_lazy_parts_hydrate_as_they_were_drawn(site: Served, open_reader: OpenReader, scheme: str) -> None:
    # The reader's console must stay empty: React reports each difference there.
    reader = open_reader(site, "/mode", settings(system=scheme))
    shown = reader.page.locator("#mode")
    expect(shown).to_have_attribute("data-on", "true")
    expect(shown).to_have_text(f"{scheme} leaf")
    # The classes of its CSS module, by the same names as in the build.
    expect(shown).to_have_class(re.compile(r"^on_\w+$"))
    expect(shown).to_have_css("color", "rgb(1, 2, 3)")
    expect(shown).to_have_css("margin-left", "7px")


def test_difference_that_react_mends_is_said_to_authors_and_not_to_readers(
    site: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(site)
    page = reader.page
    with page.expect_console_message(lambda message: "Differ.tsx" in message.text) as console:
        reader.visit("/differ")
    assert console.value.text.startswith(
        "components/Differ.tsx: The first render in the browser gives something else than the build."
    )
    page.get_by_role("button", name="browser 0").click()
    expect(page.get_by_role("button", name="browser 1")).to_be_visible()
    expect(page.locator(".prose [role=alert]")).to_have_count(0)
    reader.watch.forgive("The first render in the browser")
