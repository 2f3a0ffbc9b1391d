"""`octavo dev` follows the source of extensions, and what they read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from engine.tests.integration.dev.conftest import Dev
from tests.support.sites import HOME, MakeSite, page

EXTENSION = """
from octavo.extensions import Extension, NewDocument

extension = Extension("kit", inputs=["../code/*.txt"])

@extension.directive("file")
def file(block):
    return "WORD " + block.inputs.read_text("data/a.txt")

@extension.documents
def code(call):
    return [NewDocument(f"{path.stem}.md", f"# {path.stem}\\n\\n{path.read_text()}") for path in call.inputs.declared()]
"""

HOST = b"octavo.extension_host"
"""Part of the command of the process that runs extensions."""


def test_source_inputs_and_mistakes_of_extensions_are_followed(
    make_site: MakeSite, start_dev: Callable[[Path], Dev]
) -> None:
    site = make_site(
        {
            "ext/kit.py": EXTENSION,
            "data/a.txt": "one",
            "docs/a.md": page("A", "::file"),
            "docs/v.md": page("V", "Version {{ project.version }}."),
            **HOME,
        },
        'extensions = ["ext/kit.py"]\nvariable_files = ["../pyproject.toml"]\n',
    )
    project = site.root.parent / "pyproject.toml"
    project.write_text("[project]\nversion = '1.0'\n", "utf-8")
    outside = site.root.parent / "code" / "made.txt"
    outside.parent.mkdir()
    outside.write_text("first", "utf-8")
    dev = start_dev(site.root)
    assert b"<p>WORD one</p>" in dev.get("/a")[1]
    assert b"<p>first</p>" in dev.get("/made")[1]
    assert b"Version 1.0." in dev.get("/v")[1]
    project.write_text("[project]\nversion = \n", "utf-8")
    dev.wait_until(lambda: "pyproject.toml" in dev.greeting()["failure"])
    # As editors save: by another file that takes its place.
    saved = project.with_name("pyproject.toml~")
    saved.write_text("[project]\nversion = '2.0'\n", "utf-8")
    saved.replace(project)
    dev.wait_until(lambda: b"Version 2.0." in dev.get("/v")[1])
    site.write({"data/a.txt": "two"})
    dev.wait_until(lambda: b"<p>WORD two</p>" in dev.get("/a")[1])
    site.write({"ext/kit.py": EXTENSION.replace("WORD", "TERM")})
    dev.wait_until(lambda: b"<p>TERM two</p>" in dev.get("/a")[1])
    outside.write_text("second", "utf-8")
    dev.wait_until(lambda: b"<p>second</p>" in dev.get("/made")[1])
    site.write({"ext/kit.py": EXTENSION.replace('"WORD "', "1 / 0")})
    dev.wait_until(lambda: "docs/a.md:5:1" in dev.problems())
    site.write({"ext/kit.py": EXTENSION.replace('"WORD "', "1 / )")})
    dev.wait_until(lambda: "ext/kit.py:8:1" in dev.problems())
    if hasattr(os, "mkfifo"):
        (site.root / "ext/kit.py").unlink()
        os.mkfifo(site.root / "ext/kit.py")
        dev.wait_until(lambda: "octavo.toml:2:15" in dev.problems())
        (site.root / "ext/kit.py").unlink()
    site.write({"ext/kit.py": EXTENSION})
    dev.wait_until(lambda: b"<p>WORD two</p>" in dev.get("/a")[1])
    dev.wait_until(lambda: dev.problems() == [])
    if sys.platform == "linux":
        # The process that a new one takes the place of may still be about to end.
        dev.wait_until(lambda: len(dev.children(HOST)) <= 1)
        hosts = dev.children(HOST)
        dev.stop()
        dev.wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in hosts))


CHIP = "export default () => { BODY; return <b>GOOD</b>; };\n"


def test_mistakes_of_components_are_shown_and_the_server_goes_on(
    make_site: MakeSite, start_dev: Callable[[Path], Dev]
) -> None:
    good = CHIP.replace("BODY;", "")
    own = {"static/css/site.css": "a { top: 0 }", "components/Chip.jsx": good}
    site = make_site({**own, "docs/a.md": page("A", "<Chip />"), **HOME}, 'styles = ["/css/site.css"]\n')
    dev = start_dev(site.root)
    site.write({"static/css/site.css": "a { top 0 }"})
    dev.wait_until(lambda: dev.problems() == ["static/css/site.css:1:5"])
    site.write({"static/css/site.css": "a { background: url(gone.svg) }"})
    dev.wait_until(lambda: dev.problems() == ["static/css/site.css:1:17"])
    site.write({"static/css/gone.svg": "<svg/>"})
    dev.wait_until(lambda: dev.problems() == [])
    for bad, place in (
        (CHIP.replace("BODY", "throw new Error('boom')"), "components/Chip.jsx:1:"),
        (CHIP.replace("BODY", "for (;;) {}"), "components/Chip.jsx:1:"),
        ("export default (", "components/Chip.jsx:1:"),
        ("", "components/Chip.jsx:1:"),
        (None, "docs/a.md:5:1"),
    ):
        if bad is None:
            (site.root / "components/Chip.jsx").unlink()
        else:
            site.write({"components/Chip.jsx": bad})
        dev.wait_until(lambda place=place: [one[: len(place)] for one in dev.problems()] == [place])
        assert dev.get("/a")[0] == 200
        site.write({"components/Chip.jsx": good})
        dev.wait_until(lambda: dev.problems() == [] and b"<b>GOOD</b>" in dev.get("/a")[1])
