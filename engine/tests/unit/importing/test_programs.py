"""Copies of components in React with what they import."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing.components.programs import Program, copy_program
from octavo.importing.components.trial import _shows
from octavo.importing.components.unusable import UnusableError


def copy(site: Path) -> Program:
    return copy_program("Box", "src/Box.jsx", site, "components", {}, "static", {})


def test_file_behind_a_link_out_of_the_site_is_not_copied(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "src").mkdir(parents=True)
    (tmp_path / "secret.json").write_text('{"key": "hidden"}', encoding="utf-8")
    box = 'import data from "./data.json";\nexport default function Box() { return <b>{data.key}</b>; }\n'
    (site / "src/Box.jsx").write_text(box, encoding="utf-8")
    (site / "src/data.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(UnusableError, match=r'"src/data\.json" is a link that leads out of the site'):
        copy(site)
    (site / "src/data.json").unlink()
    (site / "src/data.json").write_text('{"key": "shown"}', encoding="utf-8")
    assert copy(site).files["components/taken-over/src/data.json"] == '{"key": "shown"}'


def test_function_in_which_nothing_waits_is_a_plain_one(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    box = "export default async function Box({ a }) { return <b>{a}</b>; }\nexport const Small = async ({ a }) => <i>{a}</i>;\n"
    (tmp_path / "src/Box.jsx").write_text(box, encoding="utf-8")
    assert "async" not in copy(tmp_path).files["components/taken-over/src/Box.jsx"]
    (tmp_path / "src/Box.jsx").write_text(box.replace("return", "await load(); return"), encoding="utf-8")
    assert "async" in copy(tmp_path).files["components/taken-over/src/Box.jsx"]


def test_component_that_is_loaded_later_is_imported_at_once(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Sail.jsx").write_text(
        "export default () => <i>sail</i>;\nexport const Reef = () => <i>reef</i>;\n"
    )
    box = """import dynamic from "next/dynamic";
import { lazy } from "react";
const Sail = dynamic(() => import("./Sail"), { ssr: false, loading: () => <p>…</p> });
const Reef = dynamic<Props>(() => import('./Sail').then((mod) => mod.Reef), {
  ssr: false,
});
const Late = lazy(() => import("./Sail").then((m) => ({ default: m.Reef })));
export default function Box() { return <b><Sail /><Reef /><Late /></b>; }
"""
    (tmp_path / "src/Box.jsx").write_text(box, encoding="utf-8")
    text = copy(tmp_path).files["components/taken-over/src/Box.jsx"]
    assert 'import * as $loaded2 from "./Sail.jsx";' in text or 'import * as $loaded2 from "./Sail' in text
    assert "const Sail = $loaded0.default;" in text
    assert "const Reef = $loaded1.Reef;" in text
    assert "const Late = $loaded2.Reef;" in text


def test_declarations_of_types_are_nothing_at_run_time(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/types.d.ts").write_text("export interface Props { a: string }\n", encoding="utf-8")
    box = 'import { Props } from "./types";\nexport default function Box({ a }: Props) { return <b>{a}</b>; }\n'
    (tmp_path / "src/Box.jsx").write_text(box, encoding="utf-8")
    files = copy(tmp_path).files
    assert 'from "../shims/nothing.tsx"' in files["components/taken-over/src/Box.jsx"]
    assert "components/taken-over/shims/nothing.tsx" in files


def test_components_may_ask_for_the_page_of_docusaurus(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    box = (
        'import { useDoc } from "@docusaurus/plugin-content-docs/client";\n'
        "export default function Box() { return <b>{useDoc().frontMatter.mark}</b>; }\n"
    )
    (tmp_path / "src/Box.jsx").write_text(box, encoding="utf-8")
    assert "export const useDoc = " in copy(tmp_path).files["components/taken-over/shims/docs-client.tsx"]


def test_what_is_drawn_shows_words_or_pictures() -> None:
    assert _shows("<p><b>x</b></p>")
    assert _shows('<div><img src="a.png"/></div>')
    assert not _shows('<p title="a > b"> <template>words</template><script>x</script></p>'.replace(" > ", " "))
    assert not _shows("<p>\n</p><i></i>")
