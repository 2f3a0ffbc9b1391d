"""Wheels of what is installed here, so that `pip install` needs no index: for images that are built without a network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

from tests.support.installed import with_requirements

BUILD_BACKEND = "hatchling"
NOT_IN_A_WHEEL = {"INSTALLER", "REQUESTED", "direct_url.json", "RECORD"}


def make_wheels(requirements: Iterable[str], folder: Path) -> list[Path]:
    """Pack distributions and all that they require into a folder.

    Returns:
        The shared objects that they hold, as they are installed here.
    """
    objects: list[Path] = []
    for name in with_requirements(requirements):
        objects += _pack(distribution(name), folder)
    return objects


def _pack(found: Distribution, folder: Path) -> list[Path]:
    """Put the files of a distribution back into a wheel; pip makes its commands anew."""
    tags = re.findall(r"^Tag: (\S+)$", found.read_text("WHEEL") or "", re.MULTILINE)
    pythons, abis, platforms = (
        ".".join(sorted(set(parts))) for parts in zip(*(tag.split("-") for tag in tags), strict=True)
    )
    name = re.sub(r"[-_.]+", "_", found.metadata["Name"])
    files = [
        file
        for file in found.files or []
        if ".." not in file.parts and "__pycache__" not in file.parts and file.name not in NOT_IN_A_WHEEL
    ]
    [info] = {file.parts[0] for file in files if file.parts[0].endswith(".dist-info")}
    with ZipFile(folder / f"{name}-{found.version}-{pythons}-{abis}-{platforms}.whl", "w", ZIP_STORED) as archive:
        for file in files:
            archive.write(str(found.locate_file(file)), str(file))
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"]))
    return [Path(str(found.locate_file(file))) for file in files if ".so" in file.suffixes]
