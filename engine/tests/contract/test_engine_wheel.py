"""The wheel alone makes a site: no Node, no source tree, nothing that `pyproject.toml` does not declare."""

from __future__ import annotations

import re
import runpy
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from octavo.manifest import MANIFEST_PATH, parse_manifest
from tests.support import paths
from tests.support.clean_machine import Machine, build_wheel, install_offline, runtime_dependencies

ENGINE = paths.ENGINE
THEME = ENGINE / "src/octavo/_theme/server.js"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not THEME.is_file():
        pytest.fail("The theme is not built, and the wheel carries it. Run: make theme")
    return build_wheel(ENGINE, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Machine:
    return install_offline(wheel, tmp_path_factory.mktemp("machine"))


@pytest.fixture(scope="module")
def site(machine: Machine) -> Path:
    machine.run("octavo", "new", "docs-of-mine")
    return machine.folder / "docs-of-mine"


@pytest.fixture(scope="module")
def out(machine: Machine, site: Path) -> Path:
    machine.run("octavo", "build", site, "--out", machine.folder / "out")
    return machine.folder / "out"


def test_wheel_carries_the_built_theme(wheel):
    names = ZipFile(wheel).namelist()
    assert "octavo/_theme/server.js" in names
    assert any(re.fullmatch(r"octavo/_theme/client/.*\.js", name) for name in names)


def test_wheel_carries_the_packages_only(wheel):
    tops = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    assert {re.sub(r"-.*\.dist-info", "-dist-info", top) for top in tops} == {
        "octavo",
        "octavo-dist-info",
    }


def test_engine_brings_no_server_of_an_api(wheel):
    foreign = {
        "fastapi",
        "sqlalchemy",
        "alembic",
        "docker",
        "mcp",
        "cryptography",
        "prometheus-client",
        "octavo-sandbox",
    }
    assert foreign & set(runtime_dependencies(wheel)) == set()


@pytest.mark.parametrize(("template", "extra"), [("library", "python-api"), ("product", "openapi")])
def test_template_says_what_else_it_needs(machine, tmp_path, template, extra):
    site = tmp_path / template
    assert f'pip install "octavo[{extra}]"' in machine.run("octavo", "new", site, "--template", template)
    done = machine.attempt("octavo", "build", site)
    assert f'pip install "octavo[{extra}]"' in done.stdout + done.stderr


def test_validator_of_api_descriptions_is_an_extra(machine, tmp_path):
    """The validator brings jsonschema and more, so only sites with an API description need it."""
    machine.run("octavo", "new", tmp_path / "shop")
    config = tmp_path / "shop" / "octavo.toml"
    config.write_text(config.read_text() + '\n[[openapi]]\nid = "shop"\ndoc = "reference/api"\nspec = "shop.json"\n')
    (tmp_path / "shop" / "shop.json").write_text(
        '{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {}}'
    )
    done = machine.attempt("octavo", "build", tmp_path / "shop")
    assert done.returncode == 1
    assert 'pip install "octavo[openapi]"' in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("target", ["--wheel", "--sdist"])
def test_distribution_without_the_theme_is_not_built(tmp_path, target):
    """Neither a fresh clone nor an unpacked archive may become a package that cannot render a page."""
    output = _refused_build(tmp_path, _copy_engine(tmp_path, "_theme"), target)
    assert "The theme is not built" in output


def test_distribution_with_half_a_theme_is_not_built(tmp_path):
    """As an interrupted build of the theme leaves it."""
    source = _copy_engine(tmp_path)
    asset = min((source / "src/octavo/_theme/client/assets").glob("client-*.js"))
    asset.unlink()
    assert asset.name in _refused_build(tmp_path, source, "--wheel")


def test_parts_of_a_built_theme_are_all_known_to_its_check(tmp_path):
    theme = _copy_engine(tmp_path) / "src/octavo/_theme"
    find_missing = runpy.run_path(str(ENGINE / "hatch_build.py"))["find_missing"]
    assert find_missing(theme) is None
    for part in [path for path in theme.iterdir() if path.is_file()]:
        part.rename(part.with_suffix(".away"))
        assert find_missing(theme) == part
        part.with_suffix(".away").rename(part)


def _copy_engine(folder: Path, *left_out: str) -> Path:
    """Copy the engine without what builds the theme."""
    ignored = shutil.ignore_patterns(*left_out, "node_modules", "theme", "tests", "__pycache__")
    return Path(shutil.copytree(ENGINE, folder / "engine", ignore=ignored))


def _refused_build(folder: Path, source: Path, target: str) -> str:
    command = [sys.executable, "-m", "build", target, "--no-isolation", "--outdir", str(folder / "out"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert not list(folder.glob("out/*"))
    return done.stdout + done.stderr


def test_clean_machine_has_no_node(machine):
    assert shutil.which("node", path=machine.path) is None
    assert not list(machine.site_packages.glob("nodejs*"))


def test_clean_machine_runs_the_installed_package(machine):
    where = machine.run("python", "-c", "import octavo; print(octavo.__file__)").strip()
    assert Path(where).is_relative_to(machine.environment)


def test_clean_machine_builds_a_site_with_components_an_extension_and_a_look_of_its_own(machine, tmp_path):
    """What in other engines takes Node, or a checkout of the theme."""
    files = {
        "octavo.toml": (
            'title = "Own"\nurl = "https://own.example"\nextensions = ["ext/kit.py"]\nstyles = ["/css/own.css"]\n'
            '[theme]\npreset = "journal"\n[theme.code]\nlight = "solarized-light"\nraises_contrast = true\n'
        ),
        "static/css/own.css": ".chip { colour: teal }",
        "components/Chip.tsx": (
            'import { useState } from "react";\nimport "./chip.css";\nexport const client = "load";\n'
            "export default function Chip({ text }: { text: string }) {\n"
            "  const [n, set] = useState<number>(0);\n"
            "  return <button onClick={() => set(n + 1)}>{text.toUpperCase()}</button>;\n}\n"
        ),
        "components/chip.css": "button { color: var(--accent) }",
        "slots/article-bottom.tsx": (
            'import type { SlotProps } from "octavo";\nexport const contract = 1;\n'
            'export default ({ page }: SlotProps["article-bottom"]) => <p>End of {page.title}</p>;\n'
        ),
        "ext/kit.py": (
            "from octavo.extensions import Extension\n\nextension = Extension('kit')\n\n\n"
            "@extension.directive('shout')\ndef shout(block):\n    return block.label.upper() + '!'\n"
        ),
        "docs/index.md": '# Home\n\n::shout[hello]\n\n<Chip text="chip" />\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    done = machine.attempt("octavo", "build", tmp_path, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "static/css/own.css:1:9" in done.stdout + done.stderr
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    for part in ("HELLO!", "<button>CHIP</button>", "End of Home", "/look-", "own.css?v=", "chip-"):
        assert part in page, part
    published = {path.name.partition("-")[0] for path in (tmp_path / "out/_octavo/components").iterdir()}
    assert "components" in published


def test_pages_are_drawn_by_react(out):
    """Navigation and article come from the theme's components; the Markdown alone has neither."""
    manifest = parse_manifest((out / MANIFEST_PATH).read_bytes())
    assert manifest.routes
    for path in manifest.routes.values():
        text = (out / path).read_text(encoding="utf-8")
        body = text.partition('<div id="octavo">')[2]
        assert "<nav" in body, path
        assert "<main" in body, path
        assert "<h1" in body, path


def test_scripts_of_a_page_are_published(out):
    text = (out / "index.html").read_text(encoding="utf-8")
    addresses = re.findall(r'(?:src|href)="/(_octavo/[^"]+\.(?:js|css))"', text)
    assert addresses
    assert [address for address in addresses if not (out / address).is_file()] == []


@pytest.fixture
def server(machine: Machine, site: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`octavo serve` on the clean machine, as (process, address)."""
    process = subprocess.Popen(
        [str(machine.bin / "octavo"), "serve", str(site), "--port", "0"],
        env=machine.variables,
        cwd=machine.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    said = ""
    try:
        for line in process.stdout:
            said += line
            if match := re.search(r"http://[\w.]+:\d+", line):
                yield process, match[0]
                break
        else:
            pytest.fail(f"octavo serve has ended without an address:\n{said}")
    finally:
        process.kill()
        process.communicate()


def test_served_site_answers(server):
    process, address = server
    page = httpx.get(f"{address}/")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<main" in page.text
    assert httpx.get(f"{address}/healthz").json()["status"] == "ok"
    assert httpx.get(f"{address}/nowhere").status_code == 404
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 0
