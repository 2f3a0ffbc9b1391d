"""Components of Docusaurus: what they ask its plug-ins for, and where its sites keep them."""

from __future__ import annotations

import re
from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write
from .test_react_components import CONFIG


def test_types_of_components_check_no_page_as_in_the_old_engine(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/Shot.tsx": """
type Props = { src: string; wide: boolean; height: number };
export default function Shot({ src, wide, height }: Props) { return <p>{wide ? "wide" : "narrow"} {src} {height}</p>; }
""",
            "docs/index.mdx": 'import Shot from \'@site/src/Shot\';\n\n# Kite\n\n<Shot src="a.png" height="7" title="b" />\n',
        },
    )
    assert import_site(site_dir).report.items == []
    assert build_site(site_dir, tmp_path / "out", has_search=False).diagnostics == []
    assert "narrow a.png 7" in text_of((tmp_path / "out/docs/index.html").read_text(encoding="utf-8"))


def test_components_may_list_the_documents_of_a_version(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/Related.jsx": """
import Link from "@docusaurus/Link";
import { useDocsVersion } from "@docusaurus/plugin-content-docs/client";
import { usePluginData } from "@docusaurus/useGlobalData";
export default function Related({ names }) {
  const docs = useDocsVersion().docs;
  const { versions } = usePluginData("docusaurus-plugin-content-docs");
  const paths = Object.fromEntries(versions[0].docs.map((one) => [one.id, one.path]));
  return <ul>{names.map((name) => <li key={name}><Link to={paths[name]}>{docs[name].title}</Link>: {docs[name].description}</li>)}</ul>;
}
""",
            "docs/index.mdx": 'import Related from \'@site/src/Related\';\n\n# Kite\n\n<Related names={["deep/line", "deep/own", "plain"]} />\n',
            "docs/deep/01-line.md": "---\ntitle: The *line*\ndescription: Of hemp.\n---\n\nText.\n",
            "docs/deep/tail.mdx": "---\nid: own\nslug: /tail\n---\n\n# A `tail` of [paper](https://paper.example) {#t}\n\nText.\n",
            "docs/plain.md": "No title.\n",
        },
    )
    assert import_site(site_dir).report.items == []
    assert build_site(site_dir, tmp_path / "out", has_search=False).diagnostics == []
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    assert re.findall(r'<li><a href="([^"]*)">([^<]*)</a>: (?:<!-- -->)?([^<]*)</li>', html) == [
        ("/k/docs/deep/line", "The *line*", "Of hemp."),
        ("/k/docs/tail", "A tail of paper", ""),
        ("/k/docs/plain", "Plain", ""),
    ]


def test_components_among_static_files_and_classes_are_taken_over(tmp_path: Path) -> None:
    page = """import Endpoint from '@site/static/js/endpoint.jsx'

# Kite

<Endpoint path="/api/x" method="get">

Some *text*.

</Endpoint>
"""
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "static/js/endpoint.jsx": """
import React from "react";
export default class Endpoint extends React.Component {
  render() {
    const id = this.props.id || `${this.props.method}${this.props.path}`.replace(/[^a-z0-9]+/g, "-");
    return <details id={id}><summary>{this.props.method} <code>{this.props.path}</code></summary><div>{this.props.children}</div></details>;
  }
}
""",
            "docs/index.mdx": page,
        },
    )
    assert import_site(site_dir).report.items == []
    assert build_site(site_dir, tmp_path / "out", has_search=False).diagnostics == []
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    assert '<details id="get-api-x"><summary>get <code>/api/x</code></summary><div><p>Some <em>text</em>.</p>' in html


def test_components_in_marked_blocks_of_pages_are_taken_over(tmp_path: Path) -> None:
    page = """# Kite

```mdx-code-block
import {useState} from 'react';

export const Opener = ({ name }) => {
  const [value] = useState("calm");

  return <b>{`${name}: ${value}`}</b>;
}
```

```js
export const Opener = () => "no component of the page";
```

<Opener name="Wind" />
"""
    site_dir = write(tmp_path / "site", {"docusaurus.config.js": CONFIG, "docs/index.mdx": page})
    assert import_site(site_dir).report.items == []
    assert build_site(site_dir, tmp_path / "out", has_search=False).diagnostics == []
    assert "Wind: calm" in text_of((tmp_path / "out/docs/index.html").read_text(encoding="utf-8"))
