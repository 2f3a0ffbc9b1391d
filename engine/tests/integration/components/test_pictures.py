"""Pictures and fonts beside components: an import gives their address, and style sheets name them by a relative one."""

from __future__ import annotations

import re

from tests.support.sites import HOME, MakeSite, page

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8"/></svg>\n'
COMPONENT = (
    'import logo from "./img/my logo.SVG";\nimport * as both from "./both";\nimport "./Mark.css";\n'
    'export default () => <p className="mark"><img src={logo} alt="" /><img src={both.small} alt="" /></p>;\n'
)
FILES = {
    "components/Mark.tsx": COMPONENT,
    "components/both.ts": 'import small from "./img/small.svg";\nexport { small };\n',
    "components/Mark.css": '.mark { background: url(img/back.svg#a) }\n.mark b { background: url("./img/back.svg") }\n'
    ".mark i { background: url(/own.svg) }\n",
    "components/img/my logo.SVG": LOGO,
    "components/img/small.svg": LOGO.replace("8", "4"),
    "components/img/back.svg": LOGO.replace("8", "2"),
    "static/own.svg": LOGO,
    "docs/a.md": page("A", "<Mark />"),
    **HOME,
}
CONFIG = 'base_url = "/sub/"\n'


def test_import_of_a_picture_is_its_address(make_site: MakeSite) -> None:
    site = make_site(FILES | {"components/Mark.tsx": COMPONENT.replace('my logo.SVG"', 'my logo.svg"')}, CONFIG)
    assert [one.code for one in site.build().diagnostics] == [
        "component-import"
    ]  # names of files are as they are written
    site.write({"components/img/my logo.svg": LOGO})
    assert site.build().diagnostics == []
    addresses = re.findall(r'<img src="/sub/(_octavo/components/components-img-[\w-]+\.svg)"', site.html("/a"))
    assert [(site.out / address).read_text(encoding="utf-8") for address in addresses] == [LOGO, LOGO.replace("8", "4")]
    [sheet] = (site.out / "_octavo/components").glob("*.css")
    found = re.findall(r"url\(\"?([^\")]*)", sheet.read_text(encoding="utf-8"))
    assert found[0] == f"{found[1]}#a"
    assert found[2] == "/sub/own.svg"
    assert (sheet.parent / found[1]).read_text(encoding="utf-8") == FILES["components/img/back.svg"]
    # A component that never comes to life needs no script for them.
    assert list((site.out / "_octavo/components").glob("*.js")) == []


def test_picture_of_a_component_that_comes_to_life_has_the_address_of_the_site(make_site: MakeSite) -> None:
    live = COMPONENT.replace("my logo.SVG", "small.svg") + 'export const client = "load";\n'
    site = make_site(FILES | {"components/Mark.tsx": live}, CONFIG)
    assert site.build().diagnostics == []
    scripts = {path.name: path.read_text(encoding="utf-8") for path in (site.out / "_octavo/components").glob("*.js")}
    own = [text for name, text in scripts.items() if "img-small" in name]
    assert len(own) == 1
    assert 'require("octavo").withBase("/_octavo/components/components-img-small-' in own[0]
    assert not any("img-back" in name for name in scripts)  # a style sheet alone names it


def test_changed_picture_has_another_address(make_site: MakeSite) -> None:
    site = make_site(FILES | {"components/Mark.tsx": COMPONENT.replace("my logo.SVG", "small.svg")}, CONFIG)
    site.build()
    before, [sheet] = site.html("/a"), (site.out / "_octavo/components").glob("*.css")
    site.write({"components/img/small.svg": LOGO, "components/img/back.svg": LOGO})
    site.build()
    assert site.html("/a") != before
    [changed] = (site.out / "_octavo/components").glob("*.css")
    assert changed.name != sheet.name
    address = re.findall(r'<img src="/sub/([^"]*)"', site.html("/a"))[0]
    assert (site.out / address).read_text(encoding="utf-8") == LOGO


def test_slots_have_pictures(make_site: MakeSite) -> None:
    slot = 'import mark from "../components/img/small.svg";\nexport const contract = 1;\n'
    slot += 'export default ({ children }) => <div><img src={mark} alt="" />{children}</div>;\n'
    site = make_site({"slots/footer.tsx": slot, "components/img/small.svg": LOGO, **HOME}, CONFIG)
    assert site.build().diagnostics == []
    [address] = re.findall(r'<img src="/sub/(_octavo/components/[^"]*)"', site.html("/"))
    assert (site.out / address).read_text(encoding="utf-8") == LOGO


def test_picture_that_is_not_there_is_a_finding(make_site: MakeSite) -> None:
    files = {"components/Mark.css": ".mark {\n  background: url(img/none.svg)\n}\n", "components/img/small.svg": LOGO}
    component = 'import a from "./none.png";\nimport "./Mark.css";\nexport default () => <img src={a} alt="" />;\n'
    found = make_site(FILES | files | {"components/Mark.tsx": component}, CONFIG).check()
    own = [one for one in found if "none" in one and "component-import" in one]
    assert [one.partition(": ")[0] for one in own] == ["components/Mark.css:2:15", "components/Mark.tsx:1:16"]
    assert '"img/none.svg" is not a file of the site that a style sheet of a component can load.' in own[0]
    assert '"./none.png" is not a file of the site that a component can import.' in own[1]


def test_picture_outside_the_site_is_none(make_site: MakeSite) -> None:
    component = 'import a from "../../secret.png";\nexport default () => <img src={a} alt="" />;\n'
    site = make_site(FILES | {"components/Mark.tsx": component}, CONFIG)
    (site.root.parent / "secret.png").write_text("x", encoding="utf-8")
    (site.root / "components/link.png").symlink_to(site.root.parent / "secret.png")
    assert any('"../../secret.png" is not a file of the site' in one for one in site.check())
    site.write({"components/Mark.tsx": component.replace("../../secret", "./link")})
    assert any('"./link.png" is not a file of the site' in one for one in site.check())
