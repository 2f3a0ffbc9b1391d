"""Which modules are read to describe an object in Python."""

from __future__ import annotations

from pathlib import Path

from octavo.shipped.python_api.needed import NeededModules


def test_objects_of_a_small_package_share_one_reading(tmp_path: Path) -> None:
    files = {f"kite.part_{number}": tmp_path / f"part_{number}.py" for number in range(9)}
    for number, path in enumerate(files.values()):
        path.write_text(f"from kite import part_{number + 1}\n" if number < 2 else "")
    files["kite.broken"] = tmp_path / "broken.py"
    files["kite.broken"].write_text("def\n")
    needed = NeededModules(files)
    shared = needed.of("kite.part_0.name")
    assert shared == needed.of("kite.part_8") == files.keys() - {"kite.broken"}
    assert needed.of("kite.broken.name") == files.keys()
