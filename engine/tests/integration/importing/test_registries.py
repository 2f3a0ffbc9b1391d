"""Components that only the file which lists them for all pages holds."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.importing.components import component_in

from .sites import write
from .test_mdx_and_vue_sites import published

REGISTRY = """
import { draw, other } from "unheard";
import defaults from "fumadocs-ui/mdx";
import { clsx } from "clsx";
import { label } from "./label";

const COLOR = "north";
const unused = draw(other);

function Hint({ children }: { children: string }) {
  return <aside className={clsx("a", COLOR)}>Hint: {children}</aside>;
}

const Deep = (props) => <section title={label}>{props.children}</section>;

export function getMDXComponents(components) {
  return {
    ...defaults,
    Hint,
    Deep,
    Stage: ({ children }: { children: ReactNode }) => (
      <figure>Framed, {label}: {children}</figure>
    ),
    Wide({ children }: { children: ReactNode }) {
      return <div>Wide, {children}</div>;
    },
    Lost: () => <b>{draw("x")}</b>,
    ...components,
  };
}
"""
FILES = {
    "package.json": '{"dependencies": {"next": "1", "fumadocs-ui": "1"}}',
    "next.config.mjs": "export default {};\n",
    "source.config.ts": "export default {};\n",
    "mdx-components.tsx": REGISTRY,
    "label.ts": "export const label = 'a label';\n",
    "content/docs/meta.json": '{"pages": ["index"]}',
}


def test_components_of_the_list_itself_are_taken_over(tmp_path: Path) -> None:
    page = "---\ntitle: Kite\n---\n\n<Hint>Wind</Hint>\n\n<Deep>\n\nIt **blows**.\n\n</Deep>\n\n<Stage>A kite</Stage>\n\n<Wide>a kite</Wide>\n\n<Lost>Words</Lost>\n"
    site = write(tmp_path / "site", {**FILES, "content/docs/index.mdx": page})
    text, codes = published(site, "docs/index.html")
    assert "Hint: Wind" in text
    assert "It blows" in text
    assert "Framed, a label: A kite" in text
    assert "Wide, a kite" in text
    assert "Words" in text
    assert codes == ["stub-component"]


def test_only_what_a_component_needs_is_its_module() -> None:
    found = component_in("Hint", REGISTRY)
    assert found is not None
    assert 'COLOR = "north"' in found
    assert "clsx" in found
    assert "unheard" not in found
    assert "label" not in found
    assert component_in("Gone", REGISTRY) is None
    assert component_in("draw", REGISTRY) is None
    assert component_in("Stage", 'const all = { Stage: "text" };') is None


def test_pages_of_a_program_in_react_are_mdx(tmp_path: Path) -> None:
    page = "---\ntitle: Kite\n---\n\n<Intro>\n\nIt **flies**.\n\n</Intro>\n\n![Rope](/rope.png)\n"
    site = write(
        tmp_path / "site",
        {
            "package.json": '{"dependencies": {"next": "1", "@mdx-js/mdx": "2"}}',
            "next.config.js": "module.exports = {};\n",
            "tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}',
            "src/utils/word.ts": "export const word = 'Intro';\n",
            "src/components/MDX/MDXComponents.tsx": "import Link from 'next/link';\nimport { word } from 'utils/word';\nfunction Intro({ children }) { return <section>{word}: {children}</section>; }\n"
            "export const MDXComponents = { a: Link, Intro };\n",
            "public/rope.png": "x",
            "src/content/index.md": page,
            "src/content/learn/start.md": page,
            "README.md": "# About\n",
        },
    )
    text, codes = published(site, "learn/start/index.html")
    assert "Intro: It flies" in text
    assert set(codes) <= {"image-content"}
    written = [f"octavo-components/Part{number}.mdx" for number in range(9)]
    write(site, dict.fromkeys(written, "Words.\n"))
    assert import_site(site, force=True).plan.settings["docs"] == "src/content"


def test_diagrams_of_a_component_are_drawn(tmp_path: Path) -> None:
    page = "---\ntitle: Kite\n---\n\n<Mermaid\n  chart={`\ngraph TD;\n  Wind --> Kite;\n`}\n/>\n"
    files = {
        **FILES,
        "components/mermaid.tsx": "import mermaid from 'mermaid';\nexport function Mermaid({ chart }) { return <div>{mermaid(chart)}</div>; }\n",
    }
    site = write(tmp_path / "site", {**files, "content/docs/index.mdx": page})
    _, codes = published(site, "docs/index.html")
    assert codes == []
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    assert "<svg" in html[html.index("<article") :]
    assert "graph TD" not in html[html.index("<article") : html.rindex("</article>")].replace("<template", "")[:200]
