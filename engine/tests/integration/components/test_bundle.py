"""`octavo bundle`: copies of npm packages for components, made with npm and Rolldown, without a network."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from octavo.cli.main import octavo
from tests.support import paths
from tests.support.sites import HOME, MakeSite, SiteFolder, page

PACKAGES = {
    # A package in ESM: a hook, an export of its own, another package.
    "ruler/package.json": '{"name": "@acme/ruler", "version": "1.2.0", "license": "MIT", "type": "module", '
    '"exports": {".": "./index.js", "./units": "./units.js"}, "dependencies": {"old-sum": "file:../old-sum"}}',
    "ruler/index.js": (
        'import { useState } from "react";\nimport sum, { twice } from "old-sum";\n'
        "export function useRuler(all) { return useState(sum(all) + twice(1))[0]; }\n"
        'export default function Ruler() { return process.env.NODE_ENV; }\nexport const lazy = () => import("./units.js");\n'
    ),
    "ruler/index.d.ts": 'import type { Size } from "./lib/size.ts";\nexport declare function useRuler(all: number[]): number;\n'
    "export default function Ruler(props: Size): string;\n",
    "ruler/lib/size.d.ts": "export interface Size { of: string }\n",
    "ruler/lib/unused.d.ts": "export {};\n",
    "ruler/units.js": 'export const units = ["cm", "in"];\n',
    "ruler/ruler.css": '.ruler { background: url("dot.svg"); src: url(ruler.woff2) }\n',
    "ruler/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "ruler/LICENSE": "Terms of the ruler.\n",
    # One in CommonJS that is a function with parts, and asks for a module of Node where there is one.
    "old-sum/package.json": '{"name": "old-sum", "version": "0.3.1", "license": {"type": "ISC"}, "main": "main.js"}',
    "old-sum/main.js": (
        'let path;\ntry { path = require("path"); } catch {}\n'
        "module.exports = function (all) { return all.reduce((a, b) => a + b, 0); };\n"
        "module.exports.twice = (one) => 2 * one;\n"
    ),
    "broken/package.json": '{"name": "broken", "version": "1.0.0", "main": "main.mjs", "peerDependenciesMeta": {}}',
    "broken/main.mjs": 'import "not-installed";\nimport { createRoot } from "react-dom/client";\nexport default createRoot;\n',
}
COMPONENT = """
import Ruler, { useRuler } from "@acme/ruler";
import { units } from "@acme/ruler/units";
import sum, { twice } from "old-sum";
import "@acme/ruler/ruler.css";

export const client = "load";
export default function Sizes() {
  return <p>{useRuler([1, 2])} {Ruler()} {units.join("/")} {sum([4, 5])} {twice(21)}</p>;
}
"""


@pytest.fixture
def workshop(make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SiteFolder:
    """Make a site with a bundler of its own, and packages beside it; npm asks nobody."""
    site = make_site({"components/Sizes.tsx": COMPONENT, "docs/a.md": page("A", "<Sizes />\n"), **HOME})
    packages = tmp_path / "packages"
    for name, text in PACKAGES.items():
        path = packages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (site.root / "node_modules").mkdir()
    bundler = paths.REPOSITORY / "engine/theme/node_modules/rolldown"
    (site.root / "node_modules/rolldown").symlink_to(bundler, target_is_directory=True)
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    monkeypatch.chdir(packages)
    return site


def bundle(site: SiteFolder, *arguments: str) -> Result:
    return CliRunner().invoke(octavo, ["bundle", "--site", str(site.root), *arguments])


def failure(result: Result) -> str:
    assert result.exit_code == 1
    assert result.exception is not None
    return str(result.exception)


def test_component_imports_the_copies_of_packages(workshop: SiteFolder) -> None:
    assert not (workshop.root / "components/vendor").exists()
    assert bundle(workshop, "./ruler", "./old-sum").exit_code == 0
    # By the name of a package that is there; others stay.
    done = bundle(workshop, "@acme/ruler/units", "@acme/ruler/ruler.css")
    assert done.exit_code == 0, done.exception
    assert 'import … from "@acme/ruler"  ' in done.output
    assert '"old-sum" imports Node\'s "path", which browsers do not have; in the copy it is empty.' in done.output
    assert '"@acme/ruler/ruler.css" names ruler.woff2, which is not in its copy' in done.output
    vendor = workshop.root / "components/vendor"
    assert 'url("data:image/svg+xml;base64,PHN2' in (vendor / "@acme/ruler/ruler.css").read_text(encoding="utf-8")
    licenses = (vendor / "licenses.txt").read_text(encoding="utf-8")
    assert licenses.startswith("@acme/ruler 1.2.0 (MIT)\n\nTerms of the ruler.\n")
    assert "old-sum 0.3.1 (ISC)" in licenses
    # What two packages need is there once, and nothing of npm's stays.
    code = {path: path.read_text(encoding="utf-8") for path in vendor.rglob("*.js")}
    assert len([path for path, text in code.items() if ".reduce(" in text]) == 1
    assert not list(vendor.rglob("node_modules"))
    assert [path.name for path in (workshop.root / "components").iterdir() if path.name != "Sizes.tsx"] == ["vendor"]

    assert workshop.check() == []
    assert re.sub("<!-- -->", "", workshop.html("/a")).count("<p>5 production cm/in 9 42</p>") == 1

    # Again by the lock file: nothing changes.
    assert f"Nothing has changed in {vendor}." in bundle(workshop).output
    assert bundle(workshop, "--list").output.split() == [
        "@acme/ruler",
        "old-sum",
        "@acme/ruler/units",
        "@acme/ruler/ruler.css",
    ]


def test_declarations_of_packages_are_copied_and_checked(workshop: SiteFolder) -> None:
    assert bundle(workshop, "./ruler").exit_code == 0
    vendor = workshop.root / "components/vendor"
    types = sorted(path.relative_to(vendor).as_posix() for path in vendor.rglob("*.d.ts"))
    assert types == ["@acme/ruler.d.ts", "_types/@acme/ruler/index.d.ts", "_types/@acme/ruler/lib/size.d.ts"]
    assert (vendor / "@acme/ruler.d.ts").read_text(encoding="utf-8") == (
        'export * from "../_types/@acme/ruler/index.js";\nexport { default } from "../_types/@acme/ruler/index.js";\n'
    )
    (workshop.root / "components/Sizes.tsx").write_text('export { default } from "@acme/ruler";\n', encoding="utf-8")
    workshop.write({"docs/a.md": page("A", "<Sizes of={1} />")})
    [finding] = workshop.check()
    assert "must be string (components/vendor/_types/@acme/ruler/lib/size.d.ts:1:25)." in finding
    assert bundle(workshop, "--remove", "@acme/ruler").exit_code == 0
    assert not vendor.exists() or not list(vendor.rglob("*.d.ts"))


def test_what_cannot_be_copied_is_an_error_and_nothing_changes(workshop: SiteFolder) -> None:
    assert bundle(workshop, "./old-sum").exit_code == 0
    vendor = workshop.root / "components/vendor"
    before = {path: path.read_bytes() for path in vendor.rglob("*") if path.is_file()}
    said = failure(bundle(workshop, "./broken", "./old-sum", "old-sum/nowhere"))
    assert '"broken" needs "not-installed", which is not installed with it.' in said
    assert '"broken" needs "react-dom/client", which components do not have' in said
    assert 'The package "old-sum" has no module "old-sum/nowhere" for browsers.' in said
    assert "npm has failed:\n" in failure(bundle(workshop, "no-such-package"))
    (vendor / "@acme").mkdir()
    (vendor / "@acme/ruler.js").write_text("mine", encoding="utf-8")
    assert "ruler.js is there already, and `octavo bundle` has not written it." in failure(bundle(workshop, "./ruler"))
    (vendor / "@acme/ruler.js").unlink()
    (vendor / "@acme").rmdir()
    assert before == {path: path.read_bytes() for path in vendor.rglob("*") if path.is_file()}
    # The last copy takes the folder with it.
    assert bundle(workshop, "--remove", "old-sum").exit_code == 0
    assert not vendor.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "There are no copies in "),
        (("--remove", "d3"), 'There is no copy of "d3" in '),
        (("d3", "--remove", "d3"), '"d3" cannot be copied and removed at once.'),
        (("react",), '"react" comes with Octavo: components import it without a copy.'),
        (("react-dom",), '"react-dom" comes with Octavo: components import it without a copy.'),
        (("D 3",), '"D 3" is not a name of a package. Examples: d3-scale, '),
        (("../../etc",), "../../etc is not a package: it has no package.json with a name."),
        (("--evil",), "No such option"),
    ],
)
def test_wrong_names_are_told(make_site: MakeSite, arguments: tuple[str, ...], said: str) -> None:
    result = bundle(make_site(HOME), *arguments)
    assert result.exit_code != 0
    assert said in f"{result.output} {result.exception}"


def test_project_that_cannot_be_read_is_an_error(make_site: MakeSite) -> None:
    site = make_site({"components/vendor/package.json": "{", **HOME})
    assert "package.json cannot be read: " in failure(bundle(site, "d3"))
    site.write({"components/vendor/package.json": json.dumps({"octavo": {"imports": 1}})})
    assert '"octavo" in package.json cannot be read: ' in failure(bundle(site, "d3"))


def test_machine_without_node_is_told_what_to_do(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site = make_site(HOME)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    said = failure(bundle(site, "d3"))
    assert said.startswith('Packages are fetched with npm and bundled with Node, and there is no "node" here. ')
    for name, text in {"node": "#!/bin/sh\necho v16.4.0\n", "npm": "#!/bin/sh\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    assert f"Node 20.19 or later is needed; {tmp_path / 'node'} is v16.4.0." in failure(bundle(site, "d3"))
