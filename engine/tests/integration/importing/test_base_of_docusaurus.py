"""Addresses in components of Docusaurus that hold the base URL already, and those that do not."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

_COMPONENT = """import Link from "@docusaurus/Link";
import useBaseUrl from "@docusaurus/useBaseUrl";

export default function Kites() {
  return (
    <p>
      <Link to="/manual/wind">with it</Link> <Link href="/wind">without it</Link>
      <img src={useBaseUrl("/manual/kite.png")} alt="a" /> <img src={useBaseUrl("kite.png")} alt="b" />
    </p>
  );
}
"""


def test_base_url_is_put_in_front_once(tmp_path: Path) -> None:
    options = "{ docs: { routeBasePath: '/' }, blog: false }"
    files = {
        "docusaurus.config.js": (
            "module.exports = { title: 'Kite', url: 'https://kite.example', baseUrl: '/manual/', "
            f"presets: [['@docusaurus/preset-classic', {options}]] }};\n"
        ),
        "src/Kites.jsx": _COMPONENT,
        "static/kite.png": "",
        "docs/index.mdx": '---\nslug: /\n---\n\nimport Kites from "@site/src/Kites";\n\n# Kite\n\n<Kites />\n',
        "docs/wind.md": "# Wind\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    result = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in result.diagnostics if one.code in {"broken-link", "broken-asset"}] == []
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "/manual/manual/" not in page
    assert page.count('src="/manual/kite.png"') == 2
