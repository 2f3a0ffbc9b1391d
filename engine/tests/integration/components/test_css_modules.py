"""A component reads the names of its classes from a style sheet that is a CSS module."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.sites import HOME, MakeSite, page

CARD = """import { useState } from "react";
import styles, { title } from "./Card.module.css";
import * as all from "./Card.module.css";

export const client = "load";

export default function Card({ children }: { children?: React.ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={`${styles.card} ${styles["is-open"]}`} onClick={() => setOpen(!isOpen)}>
      <h3 className={title}>{all.title === title ? "same" : "other"}</h3>
      {children}
    </section>
  );
}
"""
SHEET = """@keyframes rise { from { top: 1rem } }
.card { composes: framed from "./shared/box.module.css"; animation: rise 1s; background: url(./back.png) }
:global(html[data-theme="dark"]) .card .title, .is-open { color: teal }
"""
FILES = {
    "components/Card.tsx": CARD,
    "components/Card.module.css": SHEET,
    "components/shared/box.module.css": ".framed { border: 1px solid; }\n",
    "components/back.png": "x",
    # The same names, which are others here.
    "components/Plain.jsx": 'import s from "./Plain.module.css";\nexport default () => <i className={s.card}>p</i>;\n',
    "components/Plain.module.css": ".card { color: red }\n",
    "docs/a.md": page("A", "<Card>\n\nInner.\n\n</Card>\n\n<Plain />\n"),
    **HOME,
}


def _sheets(out: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (out / "_octavo/components").glob("*.css")}


def test_classes_of_a_module_are_its_own(make_site: MakeSite) -> None:
    site = make_site(FILES)
    assert site.build().diagnostics == []
    html = site.html("/a")
    written = re.search(
        r'<section class="(card_\w+) (framed_\w+) (is-open_\w+)"><h3 class="(title_\w+)">same</h3>', html
    )
    assert written is not None
    card, framed, is_open, title = written.groups()
    [plain] = re.findall(r'<i class="([^"]+)">p</i>', html)
    assert plain.startswith("card_")
    assert plain != card
    sheets = _sheets(site.out)
    [own] = [text for name, text in sheets.items() if "Card" in name]
    assert f'html[data-theme="dark"] .{card} .{title}, .{is_open} {{ color: teal }}' in own
    assert re.search(r"@keyframes (rise_\w+) .*animation: \1 1s; background: url\(\S*back-\w+\.png\)", own, re.DOTALL)
    assert "composes" not in own
    assert any(f".{framed} {{ border: 1px solid; }}" in text for text in sheets.values())
    # The page loads all three, and what is composed comes first.
    loaded = re.findall(r'href="/_octavo/components/([\w.-]+)\.css"', html)
    assert [re.split(r"-\w+$", name)[0] for name in loaded] == [
        "components-shared-box.module",
        "components-Card.module",
        "components-Plain.module",
    ]


def test_rule_that_changes_leaves_the_html_of_pages_as_it_is(make_site: MakeSite) -> None:
    site = make_site(FILES)
    site.build()
    before = re.findall(r'class="card_\w+[^"]*"', site.html("/a"))
    (site.root / "components/Card.module.css").write_text(SHEET.replace("teal", "navy"))
    assert site.build().diagnostics == []
    assert re.findall(r'class="card_\w+[^"]*"', site.html("/a")) == before
    assert any("navy" in text for text in _sheets(site.out).values())
    (site.root / "components/Card.module.css").write_text(SHEET.replace(".title", ".heading"))
    [found] = site.check()
    assert found.startswith(
        'components/Card.tsx:2:18: error: "./Card.module.css" exports no "title", so it is undefined'
    )
    assert "It exports: rise, card, heading, is-open" in found


def test_mistakes_in_modules_have_a_place(make_site: MakeSite) -> None:
    site = make_site(
        {
            "components/Card.tsx": (
                'import styles from "./Card.module.css";\nimport other from "./gone.module.css";\n\n'
                "export default () => (\n  <p className={styles.card}>\n"
                '    <b className={styles["no-such"]} />\n    <b className={styles.cart} {...other} />\n  </p>\n);\n'
            ),
            "components/Card.module.css": (
                ".card {\n  composes: a from './box.module.css';\n}\n"
                ".b { composes: x from './plain.css' }\n.c { composes: gone }\n.card > p { composes: b }\n"
                "@value gap: 1rem;\n.d:globl(.x) { colr: red }\n"
            ),
            "components/box.module.css": ".framed { border: 0 }\n",
            "components/plain.css": ".x { border: 0 }\n",
            "docs/a.md": page("A", "A."),
            **HOME,
        },
    )
    found = [re.sub(r" .*? \[", " [", one) for one in site.check()]
    assert found == [
        "components/Card.module.css:2:3: [component-import]",
        "components/Card.module.css:4:6: [component-import]",
        "components/Card.module.css:5:16: [style-sheet]",
        "components/Card.module.css:6:13: [style-sheet]",
        "components/Card.module.css:7:1: [style-sheet]",
        "components/Card.module.css:8:4: [style-sheet]",
        "components/Card.module.css:8:16: [style-sheet]",
        "components/Card.tsx:2:20: [component-import]",
        "components/Card.tsx:6:27: [component-import]",
        "components/Card.tsx:7:26: [component-import]",
    ]


def test_sheet_whose_name_is_no_module_says_what_to_do(make_site: MakeSite) -> None:
    component = 'import styles from "./Fine.css";\nexport default () => <p className={styles.a}>x</p>;\n'
    files = {"components/Fine.tsx": component, "components/Fine.css": ".a { color: red }", "docs/a.md": page("A", "A.")}
    [problem] = make_site(files | HOME).build().diagnostics
    assert 'Call the file "Fine.module.css"' in problem.suggestion
