"""Components that look into their children, in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served, publish_site, serve_folder

from .conftest import OpenReader

PANELS = """
import { Children, isValidElement, useContext, useState } from "react";
import { Size } from "./lib/size";

export const client = "load";

export default function Panels({ title, children }) {
  const items = Children.toArray(children).filter(isValidElement);
  const [at, setAt] = useState(0);
  return (
    <Size.Provider value={at + 1}>
      <h4 id="title">{title}</h4>
      {items.map((one, index) => (
        <button key={index} onClick={() => setAt(index)}>
          {one.props.label}
        </button>
      ))}
      {items[at]}
    </Size.Provider>
  );
}
"""
FILES = {
    "octavo.toml": 'title = "Site"\n[search]\nis_enabled = false\n',
    "components/lib/size.ts": 'import { createContext } from "react";\nexport const Size = createContext(0);\n',
    "components/Panels.jsx": PANELS,
    "components/Panel.jsx": "export default ({ label, children }) => <section aria-label={label}>{children}</section>;\n",
    "components/Size.tsx": (
        'import { useContext } from "react";\nimport { Size } from "./lib/size";\n'
        "export default () => <b className='size'>{useContext(Size)}</b>;\n"
    ),
    "docs/index.md": (
        '# Home\n\n<Panels title={<>Of <em>two</em></>}>\n<Panel label="One">\n\nFirst <Size/> & **bold**.\n\n```js\nlet a;\n```\n\n</Panel>\n'
        '<Panel label="Two">\n\nSecond <Size/>, [more](more.md).\n\n<Tabs>\n<TabItem value="x">\n\nIn x.\n\n</TabItem>\n'
        '<TabItem value="y">\n\nIn y.\n\n</TabItem>\n</Tabs>\n\n</Panel>\n</Panels>\n'
    ),
    "docs/more.md": "# More\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("children")
    for path, text in FILES.items():
        file = folder / "site" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    publish_site(folder / "site", folder / "out")
    with serve_folder(folder / "out", folder / "server.log") as served:
        yield served


def test_component_shows_its_children_one_after_the_other(site: Served, open_reader: OpenReader) -> None:
    reader = open_reader(site)
    page = reader.page
    expect(page.locator("[data-source='components/Panels.jsx'][data-live]")).to_have_count(1)
    # React has found in the page what it draws, or it would have said so.
    expect(page.locator("#title em")).to_have_text("two")
    expect(page.locator(".size")).to_have_text("1")
    expect(page.locator("figure.code")).to_contain_text("let a;")
    page.get_by_role("button", name="Two", exact=True).click()
    expect(page.locator("figure.code")).to_have_count(0)
    expect(page.locator(".size")).to_have_text("2")
    # What the engine draws in the second one comes alive when it appears.
    page.get_by_role("tab", name="y").click()
    expect(page.get_by_text("In y.")).to_be_visible()
    page.get_by_role("button", name="One", exact=True).click()
    expect(page.locator("figure.code")).to_contain_text("let a;")
    expect(page.get_by_role("button", name="Copy").first).to_be_attached()
    page.get_by_role("button", name="Two", exact=True).click()
    reader.mark_document()
    page.get_by_role("link", name="more", exact=True).click()
    reader.expect_heading("More")
    reader.expect_same_document()
