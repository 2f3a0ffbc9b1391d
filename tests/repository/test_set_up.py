"""Packages are installed by uv where it can be had, from where pip would take them, and by pip where it can't."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY
from tests.support.set_up import LOCK, locked_lines, uv_environment

SCRIPT = REPOSITORY / "tests/support/set_up.py"


def test_settings_of_pip_are_handed_to_uv() -> None:
    listed = r"""
:env:.index-url='https://from.environment.example/simple'
global.cert='/etc/ca.pem'
global.extra-index-url='file:///one/simple  file:///two/simple'
global.index-url='https://from.file.example/simple'
global.no-index='true'
install.find-links='\n/wheels\n/more'
"""
    found = uv_environment(listed)
    assert found["UV_DEFAULT_INDEX"] == "https://from.environment.example/simple"
    assert found["UV_INDEX"] == "file:///one/simple file:///two/simple"
    assert found["UV_FIND_LINKS"] == "/wheels,/more"
    assert found["SSL_CERT_FILE"] == "/etc/ca.pem"
    assert found["UV_NO_INDEX"] == "1"


def test_without_settings_of_pip_uv_asks_its_usual_index() -> None:
    assert not uv_environment("").keys() & {"UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS", "UV_NO_INDEX"}


def test_lock_names_uv_with_its_hashes() -> None:
    lines = locked_lines(LOCK.read_text(encoding="utf-8"), "uv").splitlines()
    assert lines[0].startswith("uv==")
    assert len(lines) > 2
    assert all(line.strip().startswith("--hash=sha256:") for line in lines[1:])


@pytest.mark.skipif(os.name == "nt", reason="the uv of the test is a script of a Unix shell")
@pytest.mark.parametrize("broken", [False, True])
def test_packages_of_a_lock_are_installed(tmp_path: Path, *, broken: bool) -> None:
    """From a folder that only pip's settings name; by pip where the uv on the PATH fails."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    wheel = wheels / "kiln_parts-1.0-py3-none-any.whl"
    information = "kiln_parts-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("kiln_parts.py", "")
        archive.writestr(f"{information}/METADATA", "Metadata-Version: 2.1\nName: kiln-parts\nVersion: 1.0\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{information}/RECORD", "kiln_parts.py,,\n")
    lock = tmp_path / "some.lock"
    lock.write_text(f"kiln-parts==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
    environment = tmp_path / "environment"
    # pip comes from the environment of the tests: to install it takes longer than everything else here.
    venv.create(environment, with_pip=False)
    python = environment / Path(sys.executable).relative_to(sys.prefix)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "uv").write_text("#!/bin/sh\nexit 3\n" if broken else f'#!/bin/sh\nexec {sys.executable} -m uv "$@"\n')
    (programs / "uv").chmod(0o755)
    packages = next(Path(entry) for entry in sys.path if (Path(entry) / "pip").is_dir())
    (tmp_path / "borrowed").mkdir()
    (tmp_path / "borrowed" / "pip").symlink_to(packages / "pip")
    done = subprocess.run(
        [python, SCRIPT, lock],
        env={
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(tmp_path / "borrowed"),
            "HOME": str(tmp_path),
            "PIP_FIND_LINKS": str(wheels),
            "PIP_NO_INDEX": "1",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("pip is doing it" in done.stdout) is broken
    assert subprocess.run([python, "-c", "import kiln_parts"], check=False).returncode == 0
