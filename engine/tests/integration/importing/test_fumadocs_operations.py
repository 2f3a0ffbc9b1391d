"""Pages of Fumadocs that show an operation of a description lead to that of our own reference."""

from __future__ import annotations

import json
from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write
from .test_mintlify_sites import API

PAGE = """---
title: List kites
full: true
---

{{/* This file was generated. */}}

<APIPage document={{"{document}"}} operations={{[{{"path":"{path}","method":"{method}"}}]}} webhooks={{[]}} hasHead={{false}} />
"""


def test_pages_of_operations_make_room_for_those_of_a_reference(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "next.config.mjs": "export default {};\n",
            "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
            "kites.json": json.dumps(API),
            "content/docs/index.mdx": "---\ntitle: Kite\n---\n\nIt flies.\n",
            "content/docs/api/list.mdx": PAGE.format(document="./kites.json", path="/kites", method="get"),
            "content/docs/api/cut.mdx": PAGE.format(document="kites.json", path="/kites/{id}", method="delete"),
            "content/docs/api/far.mdx": PAGE.format(
                document="https://kite.example/api.json", path="/kites", method="get"
            ),
        },
    )
    done = import_site(site)
    assert [(one["spec"], one["layout"]) for one in done.plan.settings["openapi"]] == [("kites.json", "operations")]
    assert {file for one in done.report.items for file in one.files} == {"content/docs/api/far.mdx"}
    built = build_site(site, tmp_path / "out", has_search=False)
    assert not {"sidebar", "broken-link", "duplicate-route"} & {one.code for one in built.diagnostics}
    redirects = {one["from"]: one["to"] for one in done.plan.settings["redirects"]}
    for address in ("/docs/api/list", "/docs/api/cut"):
        target = tmp_path / "out" / redirects[address].partition("#")[0].lstrip("/")
        page = target / "index.html" if target.is_dir() else target.with_name(f"{target.name}.html")
        assert page.is_file(), redirects
    labels = json.dumps(done.plan.settings["sidebars"])
    assert "api/list" not in labels
    assert '"doc": ' in labels


def test_a_page_of_several_operations_leads_to_their_group(tmp_path: Path) -> None:
    several = PAGE.format(document="kites.json", path="/kites", method="get").replace(
        '"method":"get"}]', '"method":"get"},{"path":"/kites","method":"post"}]'
    )
    site = write(
        tmp_path / "site",
        {
            "next.config.mjs": "export default {};\n",
            "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
            "kites.json": json.dumps(API),
            "content/docs/index.mdx": "---\ntitle: Kite\n---\n\nIt flies.\n",
            "content/docs/api/kites.mdx": several,
        },
    )
    done = import_site(site)
    assert done.report.items == []
    built = build_site(site, tmp_path / "out", has_search=False)
    assert not {"sidebar", "broken-link", "duplicate-route"} & {one.code for one in built.diagnostics}
    (target,) = [one["to"] for one in done.plan.settings["redirects"] if one["from"] == "/docs/api/kites"]
    page = (tmp_path / "out" / target.lstrip("/") / "index.html").read_text()
    assert "List kites" in page
    assert "Build a kite" in page
    assert '"category": "List kites"' in json.dumps(done.plan.settings["sidebars"])


REGISTRY = """import { TypeTable } from 'fumadocs-ui/components/type-table';
import { DocsBody } from 'fumadocs-ui/page';
export default async function Page(props) {
  const MDX = page.data.body;
  return <DocsBody><MDX components={{ TypeTable: TypeTable }} /></DocsBody>;
}
"""


def test_copy_has_descriptions_and_what_they_refer_to(tmp_path: Path) -> None:
    api = json.loads(json.dumps(API))
    api.setdefault("components", {}).setdefault("schemas", {})["Tail"] = {"$ref": "./parts/kite.yaml#/Kite"}
    site = write(
        tmp_path / "site",
        {
            "next.config.mjs": "export default {};\n",
            "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
            "openapi.json": json.dumps(api),
            "parts/kite.yaml": "Kite:\n  type: object\n  properties:\n    tail:\n      $ref: 'tail.yaml'\n",
            "parts/tail.yaml": "type: string\n",
            "src/app/[[...slug]]/page.tsx": REGISTRY,
            "content/docs/index.mdx": "---\ntitle: Kite\n---\n\n<TypeTable type={{ length: { type: 'number', description: 'In metres' } }} />\n",
            # Written by a program from openapi.json before each build.
            "content/docs/api/list.mdx": PAGE.format(document="content/made.json", path="/kites", method="get"),
        },
    )
    done = import_site(site, to=tmp_path / "new")
    assert done.report.items == []
    assert [one["spec"] for one in done.plan.settings["openapi"]] == ["openapi.json"]
    (note,) = [note for note in done.report.notes if "does not exist" in note.what]
    assert note.files == ["openapi.json"]
    for file in ("openapi.json", "parts/kite.yaml", "parts/tail.yaml"):
        assert (tmp_path / "new" / file).read_bytes() == (site / file).read_bytes()
    built = build_site(tmp_path / "new", tmp_path / "out", has_search=False)
    assert "openapi" not in {one.code for one in built.diagnostics}
    (page,) = [one.read_text() for one in (tmp_path / "out").rglob("*.html") if "In metres" in one.read_text()]
    assert "<code>number</code>" in page
