"""Components of authors in React, in published sites: compiled, drawn, published, and bounded."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.components.slots import SLOT_PROPS
from tests.support import paths
from tests.support.npm import find_program
from tests.support.sites import HOME, MakeSite, page

CHART = """
import { useState, type ReactNode } from "react";
import { withBase } from "octavo";
import { sum } from "./lib/sum";
import units from "./units.json";
import "./chart.css";

interface Props { label: string; values: number[]; big?: boolean; children?: ReactNode }

export const client = "visible";

export default function Chart({ label, values, big, children }: Props) {
  const [clicks, setClicks] = useState<number>(0);
  return (
    <figure className="chart">
      <a href={withBase("/a")}>{label}</a>
      <b>{sum(values)} {units.money} {big ? "big" : "small"}</b>
      <button onClick={() => setClicks(clicks + 1)}>{clicks}</button>
      {children}
    </figure>
  );
}
"""
CHIP = "export default function Chip({ tone, children }) { return <b className={tone}>{children}</b>; }\n"
FILES = {
    "components/Chart.tsx": CHART,
    "components/Chip.jsx": CHIP,
    "components/lib/sum.ts": "export const sum = (all: number[]): number => all.reduce((a, b) => a + b, 0);\n",
    "components/units.json": '{"money": "k€ </script>"}',
    "components/chart.css": ".chart { color: teal }\n",
    "docs/a.md": page(
        "A",
        'Word <Chip tone="red">with *style*</Chip>.\n\n<Chart label="Sales" values={[1, 2.5]} big>\n\nOf [B](./b.md).\n\n</Chart>\n',
    ),
    "docs/b.md": page("B", "Nothing."),
    **HOME,
}


def test_component_is_drawn_where_a_page_uses_it(make_site: MakeSite) -> None:
    own = {
        "components/chart.css": ".chart { background: url(/img/x.svg), url('/base/img/x.svg'), url(https://a.example/b) }\n",
        "static/img/x.svg": "<svg/>",
    }
    site = make_site(FILES | own, 'base_url = "/base/"\n')
    assert site.check() == []
    [sheet] = [content.decode() for name, content in site.published().items() if "chart-" in name and ".css" in name]
    assert "url(/base/img/x.svg), url('/base/img/x.svg')" in sheet
    assert "img-src 'self' data: https://a.example;" in site.manifest().content_policy
    text = re.sub("<!-- -->", "", site.html("/a"))
    assert '<p>Word <b class="red">with <em>style</em></b>.</p>' in text
    assert '<a href="/base/a">Sales</a><b>3.5 k€ &lt;/script&gt; big</b><button>0</button>' in text
    # The content between the tags is Markdown of the page: its links are resolved.
    assert '<p>Of <a href="/base/b">B</a>.</p>' in text
    assert "Of [B]" in (site.out / "a.md").read_text(encoding="utf-8")


def test_uses_that_are_alike_are_drawn_once(make_site: MakeSite) -> None:
    code = "let drawn = 0;\nexport default function Count({ of, children }: { of: string; children?: any }) {\n"
    files = {
        "components/Count.tsx": f"{code}  drawn += 1;\n  return <b>{{of}} {{drawn}} {{children}}</b>;\n}}\n",
        "docs/a.md": page("A", '<Count of="x">first</Count> <Count of="x">second</Count> <Count of="y"/>'),
        "docs/b.md": page("B", '<Count of="x">third</Count> <Count of={3}/>'),
    }
    site = make_site(files | HOME)
    [finding] = site.check()
    assert finding.startswith("docs/b.md:")
    assert '"of" of <Count> is the number 3' in finding
    assert site.build().is_published
    found = [re.findall(r"<b>(.*?)</b>", re.sub("<!-- -->", "", site.html(route))) for route in ("/a", "/b")]
    assert found[0][0].startswith("x 1 ")
    assert [found[0][0].removesuffix("first"), found[1][0].removesuffix("third")] == [
        found[0][1].removesuffix("second")
    ] * 2


def test_links_of_a_component_have_their_place_in_its_file(make_site: MakeSite) -> None:
    code = """import { withBase } from "octavo";
import { more } from "./lib/more";
export default function Links() {
  return <p><a href="/base/gone">x</a> <img src={withBase("/no.png")} alt="y" /> <a href={more}>z</a></p>;
}
"""
    files = {
        "components/Links.tsx": code,
        "components/lib/more.ts": "export const more = '#nowhere';\n",
        "docs/a.md": page("A", "<Links/>"),
        "docs/b.md": page("B", "<Links/>"),
    }
    site = make_site(files | HOME, 'base_url = "/base/"\n')
    assert [re.sub(r"(, shown on).*", r"\1", finding) for finding in site.check()] == [
        'components/Links.tsx:4:22: error: link "/base/gone", shown on',
        'components/Links.tsx:4:60: error: link "/base/no.png", shown on',
        'components/lib/more.ts:1:22: warn: link "#nowhere", shown on',
    ]


def test_time_that_changes_nothing_of_what_is_shown_is_no_finding(make_site: MakeSite) -> None:
    code = {
        "Age": 'export const client = "load";\nexport default () => <b>{Date.now() > 5 && "old"}</b>;\n',
        "Fixed": 'export const client = "load";\nexport default () => <b>{new Date(86400000).toISOString()}</b>;\n',
        "Kind": "export default () => <b>{String(new Date(0).constructor === Date)}</b>;\n",
        "Year": "export default () => <b>{new Date().getFullYear() > 2000 ? Date().length > 9 : new Date() instanceof Date}</b>;\n",
        "Effect": 'import { useEffect, useState } from "react";\nexport const client = "load";\n'
        "export default () => {\n  const [at, setAt] = useState(0);\n  useEffect(() => setAt(Date.now()), []);\n"
        "  return <b>{at}</b>;\n};\n",
    }
    files = {f"components/{name}.tsx": text for name, text in code.items()}
    site = make_site(files | {"docs/a.md": page("A", "<Age/>\n\n<Kind/>\n\n<Fixed/>\n\n<Year/>\n\n<Effect/>")} | HOME)
    assert site.check() == []
    assert "<b>1970-01-02T00:00:00.000Z</b>" in site.html("/a")
    assert "<b>true</b>" in site.html("/a")


WEB_APIS = {
    "new URL('../b?x=1', 'https://exämple.org/a/c').href": "https://xn--exmple-cua.org/b?x=1",
    "new URLSearchParams({ q: 'a b' }).toString()": "q=a+b",
    "new TextEncoder().encode('ä').join()": "195,164",
    "new TextDecoder().decode(new Uint8Array([195, 164]))": "ä",
    "atob(btoa('abc'))": "abc",
    "structuredClone(new Map([['a', [1]]])).get('a')[0]": "1",
}


def test_functions_that_browsers_and_servers_share_are_there_at_build(make_site: MakeSite) -> None:
    code = "".join(f"<dd>{{String({call})}}</dd>" for call in WEB_APIS)
    files = {
        "components/Plain.tsx": "export default () => <i>plain</i>;\n",
        "components/Calls.tsx": f"export default () => <dl>{code}</dl>;\n",
        "components/Breaks.tsx": "export default () => <b>{(URL.prototype as any).toString = () => 'x'}</b>;\n",
        "docs/a.md": page("A", "<Plain/>\n\n<Breaks/>\n\n<Calls/>"),
    }
    site = make_site(files | HOME, "[diagnostics]\ncomponent = 'warn'\n")
    [finding] = site.check()
    assert "it changes URL.prototype.toString, which all components share" in finding
    assert site.build().is_published
    assert re.findall(r"<dd>(.*?)</dd>", site.html("/a")) == list(WEB_APIS.values())
    assert "<i>plain</i>" in site.html("/a")


def test_content_that_a_component_never_shows_is_a_finding(make_site: MakeSite) -> None:
    files = {
        "components/Rule.tsx": "export default function Rule() { return <hr />; }\n",
        "components/Later.jsx": "export const client = 'load';\nexport default function Later() { return <hr />; }\n",
        "slots/admonition.tsx": "export const contract = 1;\nexport default function A({ title }) { return <b>{title}</b>; }\n",
        "slots/code-block.tsx": "export const contract = 1;\nexport default function C({ code }) { return <pre>{code}</pre>; }\n",
        "docs/a.md": page(
            "A",
            "<Rule/>\n\n<Rule>\n\nLost words.\n\n</Rule>\n\n<Later>\n\nHidden.\n\n</Later>\n\n:::note[Read]\n\nLost too.\n\n:::\n\n```\nx\n```",
        ),
    }
    found = make_site(files | HOME).check()
    assert [finding.partition(":")[2].partition(" warn: ")[2].partition(",")[0] for finding in found] == [
        "<Rule> does not show what it is given as content here",
        'The slot "admonition" does not show what it is given as content here',
    ]


def test_live_component_is_published_under_names_with_hashes(make_site: MakeSite) -> None:
    site = make_site(FILES)
    site.build()
    found = re.search(r'<div class="island" data-island="component"[^>]*>', site.html("/a"))
    assert found is not None
    attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', found[0]))
    assert attributes["data-client"] == "visible"
    assert json.loads(html.unescape(attributes["data-props"])) == {"label": "Sales", "values": [1, 2.5], "big": True}
    files = site.manifest().files
    assert attributes["data-module"].lstrip("/") in files
    module = (site.out / attributes["data-module"].lstrip("/")).read_text(encoding="utf-8")
    for needed in re.findall(r'from "\./([^"]+)"', module):
        assert f"_octavo/components/{needed}" in files
    sheet = re.search(r'<link rel="stylesheet" href="/(_octavo/components/[^"]+\.css)">', site.html("/a"))
    assert sheet is not None
    assert sheet[1] in files
    # A component that is only drawn is not sent to browsers, and neither is React a second time.
    assert not [name for name in files if "Chip" in name]
    assert not [
        name for name in files if name.startswith("_octavo/components/") and (site.out / name).stat().st_size > 9000
    ]
    assert "unsafe" not in site.manifest().content_policy


def test_changed_component_draws_only_the_pages_that_use_it(make_site: MakeSite) -> None:
    site = make_site(FILES)
    site.build()
    assert site.build().drawn == 0
    for path, text in (
        ("components/Chip.jsx", CHIP.replace("<b", "<i").replace("</b", "</i")),
        ("components/lib/sum.ts", "export const sum = (all: number[]) => all.length;\n"),
        ("components/units.json", '{"money": "EUR"}'),
        ("components/chart.css", ".chart { color: red }\n"),
    ):
        site.write({path: text})
        assert site.build().drawn == 1, path
    text = re.sub("<!-- -->", "", site.html("/a"))
    assert '<i class="red">' in text
    assert "<b>2 EUR big</b>" in text
    assert site.build().drawn == 0


def test_name_that_is_no_component_is_still_a_finding(make_site: MakeSite) -> None:
    site = make_site({**FILES, "docs/a.mdx": page("A2", "<Chrat/>", slug="/a2")})
    assert any('There is no component "Chrat". Did you mean "<Chart>"?' in one for one in site.check())


def test_examples_of_the_documentation_are_drawn(make_site: MakeSite) -> None:
    guide = (paths.REPOSITORY / "docs/components.md").read_text(encoding="utf-8")
    files = dict(re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', guide, re.DOTALL))
    assert files.keys() == {
        "components/Card.module.css",
        "components/Card.tsx",
        "components/Release.tsx",
        "components/Panels.tsx",
        "components/Panel.tsx",
        "docs/changes.md",
        "docs/winds.md",
        "slots/footer.tsx",
        "slots/layout.tsx",
    }
    own = {
        path.relative_to(paths.REPOSITORY / "docs").as_posix(): path.read_text(encoding="utf-8")
        for path in (paths.REPOSITORY / "docs/components").rglob("*.*")
    }
    use = re.search(r"^<Contrast.*?</Contrast>", guide, re.DOTALL | re.MULTILINE)
    assert use is not None
    files["slots/layout.css"] = ".desk { display: grid }"
    uses = f'{use[0]}\n\n<Card title="Oak" />\n'
    site = make_site({**files, **own, "docs/settings.md": page("Settings"), "docs/b.md": page("B", uses), **HOME})
    assert site.check() == []
    assert re.search(r'<section class="card_\w+ framed_\w+"><h3 class="title_\w+">Oak</h3>', site.html("/b"))
    assert "<em>Breaking change</em>" in site.html("/changes")
    assert "Ask us" in site.html("/changes")
    assert '<button>Sea</button><button>Land</button><section aria-label="Sea">' in site.html("/winds")
    assert '<div class="desk"><aside><header class="top-bar top-bar-placed">' in site.html("/changes")
    assert "5.48<!-- -->:1, <!-- -->readable" in site.html("/b")


def test_site_without_components_is_published_as_before(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), **HOME})
    site.build()
    assert "slots" not in site.payload("/a")
    assert not [name for name in site.manifest().files if "components" in name]


def test_site_without_components_loads_nothing_of_them(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), **HOME})
    code = (
        "import sys\nfrom pathlib import Path\nfrom octavo.publish.build import build_site\n"
        "build_site(Path(sys.argv[1]), None)\nprint([one for one in sys.modules if one.startswith('octavo.component')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(site.root)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_compiler_of_typescript_takes_what_the_documentation_shows(tmp_path: Path) -> None:
    """By the declarations of `octavo types`, as an editor checks components and slots, and the types of React."""
    (tmp_path / "octavo.toml").write_text('title = "Site"\n', "utf-8")
    result = CliRunner().invoke(octavo, ["types", str(tmp_path)])
    assert result.exit_code == 0, result.output
    shown = (paths.REPOSITORY / "docs" / "components.md").read_text("utf-8")
    files = dict(re.findall(r'```tsx title="([^"]+)"\n(.*?)```', shown, re.DOTALL))
    assert {"components/Release.tsx", "slots/footer.tsx", "slots/layout.tsx"} <= files.keys()
    for name in SLOT_PROPS:
        # Each slot takes its own properties and no other.
        files.setdefault(
            f"slots/{name}.tsx",
            'import { useColorMode, withBase, type SlotProps } from "octavo";\n'
            f'export default (props: SlotProps["{name}"]) => <b id={{withBase(useColorMode())}}>{{props.none}}</b>;\n',
        )
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    modules = paths.ENGINE / "theme" / "node_modules"
    types = modules / "@types" / "react"
    options = {
        "strict": True,
        "noEmit": True,
        "jsx": "react-jsx",
        "module": "esnext",
        "moduleResolution": "bundler",
        "target": "es2022",
        "typeRoots": [str(modules / "@types")],
        "types": ["react"],
        "paths": {"react": [str(types)], "react/jsx-runtime": [str(types / "jsx-runtime")]},
    }
    wanted = {"compilerOptions": options, "include": ["*.d.ts", "slots", "components"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(wanted), "utf-8")
    found = subprocess.run(
        [find_program("node"), str(modules / "typescript/bin/tsc"), "-p", str(tmp_path)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    said = sorted(
        re.findall(r"^slots/([a-z-]+)\.tsx\(2,\d+\): error TS2339: Property 'none'", found.stdout, re.MULTILINE)
    )
    assert said == sorted(set(SLOT_PROPS) - {"footer", "layout"}), found.stdout
    assert found.stdout.count("error TS") == len(said), found.stdout
