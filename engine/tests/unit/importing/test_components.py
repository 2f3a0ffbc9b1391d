"""Components of React, Astro and Vue: written as Markdown where they only place what they are given."""

from __future__ import annotations

import pytest

from octavo.importing.components import TooComplexError, read_component


@pytest.mark.parametrize(
    ("ending", "text", "expected"),
    [
        (
            ".astro",
            ('---\nimport { Icon } from "x";\ninterface Props { name: string; big?: boolean }\nconst { name } = Astro.props;\n---\n'
            '<div class="more"><Icon name="a" />\n  <b>{name}</b> <span><slot /></span></div>\n<style>.more { color: red }</style>\n'),
            "<div> <b>{props.name}</b> <span>{props.children}</span></div>",
        ),
        (".astro", "<section>\n<slot />\n</section>", "<section>\n\n{props.children}\n\n</section>"),
        (".astro", "<p>{Astro.props.text}</p>", "<p>{props.text}</p>"),
        (
            ".vue",
            ('<script setup lang="ts">\nimport X from "./x"\ndefineProps<{ to: string; label?: string }>()\n</script>\n'
            '<template>\n<a class="x" :href="to">{{ label }}: <slot></slot></a>\n</template>\n<style scoped>a { b: c }</style>'),
            "<a href={props.to}>{props.label}: {props.children}</a>",
        ),
        (".vue", "<template><p>Five {braces} * here.</p></template>", "<p>Five \\{braces\\} \\* here.</p>"),
        (
            ".tsx",
            ('import React from "react";\nimport Link from "@docusaurus/Link";\nimport styles from "./a.module.css";\n'
            "type Props = { to: string; children: React.ReactNode };\n"
            "// A box.\nexport default function Box({ to, children }: Props): JSX.Element {\n  return (\n"
            '    <div className={styles.box} style={{ a: 1 }}>\n      <Link to={to}>Read</Link>{" "}\n      more.\n      {children}\n    </div>\n  );\n}\n'),
            "<div><a href={props.to}>Read</a> more.\n\n{props.children}\n\n</div>",
        ),
        (".jsx", "const Box = (props) => <b>{props.text}</b>;\nexport default Box;\n", "<b>{props.text}</b>"),
        (".mdx", "export const Box = ({ version }) => {\n  return (<i>New in <code>{version}</code></i>);\n};", "<i>New in <code>{props.version}</code></i>"),
        (".js", "export default () => (<><p>Only text.</p></>);", "<p>Only text.</p>"),
        (".jsx", 'export function Box({ src: a, alt }) { return <img src={a} alt={alt} className="x" />; }', "<img src={props.src} alt={props.alt} />"),
        (".jsx", 'export function Box({ className = "x", text }) { return <b className={className}>{text}</b>; }', "<b>{props.text}</b>"),
    ],
)  # fmt: skip
def test_placing_components_are_written_as_markdown(ending: str, text: str, expected: str) -> None:
    assert read_component(text, ending, "Box") == f"{expected}\n"


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (".astro", "---\nconst a = await fetch('x');\n---\n<p>{a}</p>"),
        (".astro", "<p>{list.map((one) => <b>{one}</b>)}</p>"),
        (".astro", "<p>a</p><script>run()</script>"),
        (".astro", '<slot name="a" /><slot />'),
        (".astro", "<slot>Else</slot>"),
        (".astro", "<div {...Astro.props}>a</div>"),
        (".vue", '<template><p v-if="a">b</p></template>'),
        (".vue", "<script setup>const a = useData()</script><template>{{ a.b }}</template>"),
        (".vue", '<template><button @click="go">b</button></template>'),
        (".tsx", "export default function Box() { const [a] = useState(0); return <b>{a}</b>; }"),
        (".tsx", "export default function Box({ a }) { return a ? <b>1</b> : null; }"),
        (".tsx", "export default function Box({ a, ...rest }) { return <b>{a}</b>; }"),
        (".tsx", "export default function Box({ a = 'x' }) { return <b>{a}</b>; }"),
        (".tsx", "export default function Box({ a }) { return <b onClick={a}>x</b>; }"),
        (".tsx", "export default class Box extends React.Component { render() { return <b/>; } }"),
        (".tsx", "export default function Box() { return (<b><i></b></i>); }"),
        (".tsx", "export default function Box() { return (<b>"),
        (".tsx", "const other = 1;"),
        (".tsx", ""),
    ],
)
def test_programs_are_not_guessed(ending: str, text: str) -> None:
    with pytest.raises(TooComplexError):
        read_component(text, ending, "Box")
