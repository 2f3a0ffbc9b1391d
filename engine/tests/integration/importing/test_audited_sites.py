"""Small sites in the syntax of each engine: what their pages say is what readers get, or there is a finding."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from octavo.content import audit_output
from octavo.importing import EngineName, import_site
from octavo.publish import build_site
from tests.support.markdown_audit import leftovers_in

from .sites import text_of, write


class Audited(msgspec.Struct):
    """A site, and what is known of its pages."""

    engine: EngineName
    files: dict[str, str]
    pages: dict[str, str]
    """Source → file of the published folder."""
    shown: dict[str, list[str]]
    """File of the published folder → texts that its page shows, in order."""
    findings: list[str] = []
    """`code path` of all findings."""


DOCUSAURUS = Audited(
    engine="docusaurus",
    files={
        "docusaurus.config.js": 'module.exports = { title: "Kite", url: "https://kite.example", presets: [["classic", {}]] };\n',
        "docs/index.md": """---
title: Kite
---

import Meter from '@site/src/Meter';
import { LIMIT } from '@site/src/limits';
import Tabs from '@theme/Tabs';
import TabItem from '@theme/TabItem';

<Meter title="Wind speed" limit={LIMIT * 2} note="Measured on the roof of the tower."
  more="風が強い" parts={[
    { title: "First of all", description: "It <b>flies</b> very high.", href: "https://kite.example", id: "a b c" },
    "Mind the cold wind.", "x-1", 3]}>

Children of the meter.

</Meter>

<Tabs><TabItem value="one" label="First">Inside of one.</TabItem></Tabs>

<details><summary>More</summary>

Folded text.

</details>
""",
        "src/Meter/index.jsx": "export default function Meter() { return window.x ? <b/> : null }\n",
        "src/limits.js": "export const LIMIT = window.limit();\n",
    },
    pages={"docs/index.md": "docs/index.html"},
    shown={
        "docs/index.html": [
            *("風が強い", "Wind speed", "Children of the meter.", "First of all", "It flies very high."),
            *("Mind the cold wind.", "Inside of one.", "Folded text."),
        ]
    },
    findings=["stub-component components/Meter.mdx"],
)
ZENSICAL = Audited(
    engine="mkdocs",
    files={
        "zensical.toml": """
[project]
site_name = "Kite"
nav = [{ "Start" = "index.md" }, { "Guides" = ["wind.md"] }]
[project.markdown_extensions.admonition]
[project.markdown_extensions.pymdownx.tabbed]
[project.markdown_extensions.pymdownx.details]
[project.markdown_extensions.attr_list]
""",
        "docs/index.md": '# Kite { #top }\n\n!!! note "Mind"\n    The wind turns.\n\n=== "Linux"\n    Type this.\n\n=== "Windows"\n    Press that.\n',
        "docs/wind.md": '# Wind\n\n???+ tip "Open"\n    Seen at once.\n',
    },
    pages={"docs/index.md": "index.html", "docs/wind.md": "wind/index.html"},
    shown={
        "index.html": ["Mind", "The wind turns.", "Type this.", "Press that."],
        "wind/index.html": ["Seen at once."],
    },
)
STARLIGHT = Audited(
    engine="starlight",
    files={
        "astro.config.mjs": """
import starlight from "@astrojs/starlight";
export default { integrations: [starlight({ title: "Kite" })] };
""",
        "src/content/docs/index.mdx": """---
title: Welcome
template: splash
banner:
  content: A new <a href="/wind/">release</a> is there.
hero:
  title: Kite flies
  tagline: Higher than {you} think.
  actions:
    - text: Fly now
      link: /wind/
---

import { Card, CardGrid } from "@astrojs/starlight/components";
import Price from "../../components/Price.astro";

<CardGrid><Card title="Light">Weighs nothing.</Card></CardGrid>

<Price amount={compute()} />
""",
        "src/content/docs/wind.mdx": """---
title: Wind
---

import Price from "../../components/Price.astro";
import { Code } from "astro-expressive-code/components";

<Price code={`
line one of code
line two of code
`} />

<Code code="print(1)" lang="py" />
""",
        "public/favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "src/components/Price.astro": "---\nconst { amount } = Astro.props;\n---\n<b>{amount.toFixed(2)}</b>\n",
    },
    pages={"src/content/docs/index.mdx": "index.html", "src/content/docs/wind.mdx": "wind/index.html"},
    shown={
        "index.html": ["release", "Kite flies", "Higher than {you} think.", "Fly now", "Light", "Weighs nothing."],
        "wind/index.html": ["line one of code", "print"],
    },
    findings=["stub-component octavo-components/Price.mdx"],
)
VITEPRESS = Audited(
    engine="vitepress",
    files={
        ".vitepress/config.ts": 'export default { title: "Kite" }\n',
        "index.md": """---
layout: home
hero:
  name: Kite
  text: Fly
  tagline: Up and away
features:
  - icon: 🪁
    title: Simple
    details: One string is enough.
    link: /wind
    linkText: Learn how
---
""",
        "wind.md": """# Wind

:::tabs key:os
== Linux

Type this.

```md
== No tab
```

== Windows
Press that.
:::

<PriceTag label="Costs" />

<script setup>
import PriceTag from './PriceTag.vue'
</script>
""",
        "PriceTag.vue": "<template><b>{{ count + 1 }}</b></template>\n",
    },
    pages={"wind.md": "wind.html", "index.md": "index.html"},
    shown={
        "index.html": ["Kite", "Fly", "Up and away", "Simple", "One string is enough.", "Learn how"],
        "wind.html": ["Linux", "Windows", "Type this.", "== No tab", "Press that.", "Costs"],
    },
    findings=["stub-component octavo-components/PriceTag.mdx"],
)
MYST = Audited(
    engine="sphinx",
    files={
        "myst.yml": """
version: 1
project:
  title: Kite
  github: kite/kite
  toc:
    - file: index.md
    - title: Guides
      children:
        - file: guides/wind.md
        - file: deep/wind.md
""",
        "index.md": "# Kite\n\nSee [](guides/wind.md).\n\n:::{note}\nMind it.\n:::\n",
        "guides/wind.md": "# Wind at sea\n\nBlows.\n",
        "deep/wind.md": "# Deep wind\n\nSinks, with $x$.\n",
    },
    pages={"index.md": "index.html", "guides/wind.md": "wind/index.html", "deep/wind.md": "wind-1/index.html"},
    shown={"index.html": ["Wind at sea", "Mind it."], "wind-1/index.html": ["Sinks"]},
)
BOOK = Audited(
    engine="sphinx",
    files={
        "_config.yml": "title: Kite\nrepository:\n  url: https://github.com/kite/kite\n",
        "_toc.yml": "format: jb-book\nroot: intro\nparts:\n  - caption: Guides\n    chapters:\n      - file: wind\n        sections:\n          - file: storm\n",
        "intro.md": "# Kite\n\nOf the {ref}`wind`.\n\n```{tip}\nGo out.\n```\n",
        "wind.md": "(wind)=\n# Wind\n\n{ref}`storm <sto-r>`\n",
        "storm.md": "(sto-r)=\n# Storm\n\nHowls.\n",
    },
    pages={"intro.md": "intro.html", "wind.md": "wind.html", "storm.md": "storm.html"},
    shown={"intro.html": ["Go out."], "wind.html": ["storm"]},
)
CODE = '"""Flies."""\n\nclass Kite:\n    """A kite on a string."""\n\n    def rise(self, metres: int) -> None:\n        """Go up in the air."""\n'
MKDOCSTRINGS = Audited(
    engine="mkdocs",
    files={
        "mkdocs.yml": """
site_name: Kite
plugins:
  - search
  - autorefs
  - mkdocstrings:
      handlers:
        python:
          paths: [lib]
          options: { show_root_heading: true, heading_level: 3, docstring_section_style: list, members_order: __all__ }
markdown_extensions: [admonition]
""",
        "lib/kite/__init__.py": CODE,
        "docs/index.md": "# Start\n\nSee [the kite][kite.Kite].\n",
        "docs/code.md": "# Code\n\n## ::: kite.Kite\n    options:\n      members: false\n\n::: kite.Kite.rise\n",
    },
    pages={"docs/index.md": "index.html", "docs/code.md": "code/index.html"},
    shown={"index.html": ["the kite"], "code/index.html": ["A kite on a string.", "Go up in the air."]},
)
SPHINX = Audited(
    engine="sphinx",
    files={
        "docs/conf.py": 'project = "Kite"\nextensions = ["myst_parser", "sphinx.ext.autodoc"]\n',
        "src/kite/__init__.py": CODE,
        "docs/index.md": """# Kite

```{toctree}
code
```

See [](Kite.rise), [](#Kite) and [](doi:10.1/x).
""",
        "docs/code.md": """# Code

```{eval-rst}
.. currentmodule:: kite
```

```{eval-rst}
.. autoclass:: Kite
   :members:
```
""",
    },
    pages={"docs/index.md": "index.html"},
    shown={"index.html": ["Kite.rise", "Kite", "doi:10.1/x"], "code.html": ["A kite on a string.", "Go up in"]},
)
PLAIN = Audited(
    engine="plain",
    files={
        "README.md": "# Kite\n\nFly :tada: and away.\n",
        "wind.md": '# Wind\n\n!!! warning "Storm"\n    Stay inside.\n\n=== "Sea"\n    Waves.\n',
    },
    pages={"README.md": "index.html", "wind.md": "wind/index.html"},
    shown={"index.html": ["Fly 🎉 and away."], "wind/index.html": ["Storm", "Stay inside.", "Waves."]},
)
SITES = [DOCUSAURUS, ZENSICAL, STARLIGHT, VITEPRESS, MYST, BOOK, MKDOCSTRINGS, SPHINX, PLAIN]
NAMES = [
    "docusaurus",
    "zensical",
    "starlight",
    "vitepress",
    "mystmd",
    "jupyter-book",
    "mkdocstrings",
    "autodoc",
    "plain",
]


@pytest.mark.parametrize("case", SITES, ids=NAMES)
def test_nothing_of_a_page_is_lost_in_silence(case: Audited, tmp_path: Path) -> None:
    site, out = write(tmp_path / "site", case.files), tmp_path / "out"
    done = import_site(site)
    built = build_site(site, out, has_search=False)
    assert (done.plan.engine, built.is_published) == (case.engine, True)
    assert [f"{one.code} {one.span.path}" for one in built.diagnostics] == case.findings
    for source, page in case.pages.items():
        html = (out / page).read_text(encoding="utf-8")
        article = html[html.index("<main") : html.rindex("</main>")]
        # Options below `::: name` are no words for readers.
        written = re.sub(r"^ +(?:options|members):[^\n]*$", "", case.files[source], flags=re.MULTILINE)
        found = audit_output(written, article)
        assert (found.lost, found.raw) == ([], []), source
    assert leftovers_in(out) == {}
    for page, texts in case.shown.items():
        html = (out / page).read_text(encoding="utf-8")
        text = text_of(html[html.index("<main") : html.rindex("</main>")])
        position = 0
        for wanted in texts:
            assert wanted in text[position:], (page, wanted, text)
            position = text.index(wanted, position)


def test_stub_that_was_written_is_a_component_of_the_site(tmp_path: Path) -> None:
    site = write(tmp_path / "site", DOCUSAURUS.files)
    done = import_site(site)
    assert [(one.pages, one.files) for one in done.report.items if "<Meter>" in one.what] == [(1, ["docs/index.md"])]
    assert done.report.clean_pages == 0
    (site / "components/Meter.mdx").write_text(
        "<div>\n\n### {props.title}\n\n{props.children}\n\n{props.note}\n\n</div>\n", encoding="utf-8"
    )
    again = import_site(site, force=True)
    assert list(again.plan.files) == ["octavo-pages/search.md"]
    built = build_site(site, tmp_path / "out", has_search=False)
    # Of its attributes the page gives two that the component does not use.
    found = [one.code for one in built.diagnostics]
    assert found == ["import", "unknown-attribute", "unknown-attribute", "expression"]
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    assert "Measured on the roof of the tower." in text_of(html)


def test_doctor_reports_stubs_that_it_does_not_write(tmp_path: Path) -> None:
    from octavo.importing import examine_site, to_json

    site = write(tmp_path / "site", DOCUSAURUS.files)
    report = json.loads(json.dumps(to_json(examine_site(site).report)))
    assert [one["pages"] for one in report["items"]] == [1]
    assert not (site / "components").exists()
