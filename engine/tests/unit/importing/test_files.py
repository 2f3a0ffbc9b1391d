"""Files of settings in any encoding and any state: read, or refused with the place and the reason."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from octavo.config import parse_config
from octavo.importing.model import Plan
from octavo.importing.settings.files import UnreadableError, read_json, read_text, read_toml, read_yaml
from octavo.importing.settings.python_programs import macro_variables, replaced_marks
from octavo.importing.settings.python_values import read_values
from octavo.importing.tree import unread_folders, unread_pages


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marks_and_line_ends_make_no_difference(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "settings"
    path.write_bytes(f"name: 'Käse'{end}size: 3{end}".encode(encoding))
    assert read_text(path) == "name: 'Käse'\nsize: 3\n"
    assert read_yaml(path) == {"name": "Käse", "size": 3}
    path.write_bytes(f'name = "Käse"{end}'.replace("\r", "\n" if end == "\r" else "\r").encode(encoding))
    assert read_toml(path) == {"name": "Käse"}
    path.write_bytes('{"name": "Käse"}'.encode(encoding))
    assert read_json(path) == {"name": "Käse"}


def test_tables_within_braces_may_go_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "zensical.toml"
    path.write_text(
        """
        [project]
        name = "a, } # b"
        nav = [
          { "Home" = "index.md" },
          {  # the rest
            "More" = [
              { "One" = "one.md", }, # first
              { "Two" = '''two
}''' },
            ],
          },
        ]
        """,
        "utf-8",
    )
    assert read_toml(path)["project"] == {
        "name": "a, } # b",
        "nav": [{"Home": "index.md"}, {"More": [{"One": "one.md"}, {"Two": "two\n}"}]}],
    }
    path.write_text("a = {\n  b = 1,\n  c = {\n}\n", "utf-8")
    with pytest.raises(UnreadableError, match="line 1"):
        read_toml(path)


_BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.yml", b"name: Caf\xe9\n", "a.yml:1: This is not UTF-8."),
        ("a.yml", b"one: 1\ntwo: [\n", "a.yml:3:1: This is not YAML: "),
        ("a.yml", b"nav: &nav\n  - Home: *nav\n", "lead in a circle"),
        ("a.yml", _BOMB.encode(), "make it huge"),
        ("a.yml", b"[" * 5000, "a.yml"),
        ("a.toml", b"[book\n", "at line 1, column 6"),
        ("a.json", b'{"navigation": ', "a.json:1:16: it is not valid JSON"),
        ("a.json", b"[" * 100_000, "a.json"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    readers: dict[str, Any] = {".yml": read_yaml, ".toml": read_toml, ".json": read_json}
    with pytest.raises(UnreadableError) as raised:
        readers[path.suffix](path)
    assert message in str(raised.value)
    assert str(path) in str(raised.value)


def test_missing_file_and_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="No such file"):
        read_text(tmp_path / "none")
    with pytest.raises(UnreadableError, match="directory"):
        read_text(tmp_path)


def test_equal_notes_are_one_with_a_count() -> None:
    plan = Plan("mkdocs", Path(), {})
    for name in ("a.md", "b.md"):
        plan.note("nav names files that do not exist", "Take the lines out.", files=[name])
    plan.note("Something else", "Take the lines out.")
    assert [(note.what, note.count, note.files) for note in plan.notes] == [
        ("nav names files that do not exist", 2, ["a.md", "b.md"]),
        ("Something else", 1, []),
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_named_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mkdocs.yml")
    with pytest.raises(UnreadableError, match="It is a pipe"):
        read_yaml(tmp_path / "mkdocs.yml")


def test_values_of_python_are_read_as_far_as_they_are_written_out(tmp_path: Path) -> None:
    path = tmp_path / "conf.py"
    path.write_text(
        "import os\n"
        "name = 'Kite'\nversion = '1' + '.2'\ntitle = f'{name} {version}'\nmade = os.getcwd()\n"
        "both = ['a'] + ['b', name]\nwords = {'one': 'x' 'y', 'two': os.name, 'three': name}\n"
        "owner, host = 'kites', os.name\nfolder: str = f'{owner}/docs'\n"
        "long = 'x' * 10**12\nshown = f'{name!r}'\ndoubled = name\n" + "doubled = doubled + doubled\n" * 30
    )
    values, computed = read_values(path)
    assert values == {
        "name": "Kite",
        "version": "1.2",
        "title": "Kite 1.2",
        "owner": "kites",
        "folder": "kites/docs",
        "both": ["a", "b", "Kite"],
        "words": {"one": "xy", "three": "Kite"},
    }
    assert computed == ["doubled", "host", "long", "made", "shown", "words"]


def test_values_of_python_are_computed_without_running_anything(tmp_path: Path) -> None:
    path = tmp_path / "conf.py"
    path.write_text(
        "import os\nfrom importlib.metadata import version as version_of\nfrom kite import __version__ as kite_version\n"
        "release = kite_version\nversion = '.'.join(release.split('.')[:2])\nother = version_of('kite')\n"
        "tag = os.environ.get('KITE_TAG', 'main')\n"
        "if tag == 'main':\n    branch = 'latest'\nelse:\n    branch = tag.lstrip('v')\n"
        "title = 'Kite %s (%s)' % (version, branch)\nlink = 'https://{}/{name}'.format('kite.example', name='docs')\n"
        "extensions = ['a']\nextensions += ['b']\nextensions.append('c')\nif os.path.exists('x'):\n    extensions.append('d')\n"
        "links = {'issue': ('https://kite.example/%s', '#%s')}\nlinks.update({'pr': ('x%s', None)})\n"
        "epilog = ''\nepilog += f'.. |v| replace:: {version}'\n"
        "first, last = release.partition('.')[0], release[-1]\nsize = 'big' if len(release) > 3 else 'small'\n"
        "bad = '{0.__class__}'.format('x')\nwide = '%9999999d' % 1\n"
    )
    values, computed = read_values(path, "1.2.3")
    assert values == {
        "release": "1.2.3",
        "version": "1.2",
        "tag": "main",
        "branch": "latest",
        "title": "Kite 1.2 (latest)",
        "link": "https://kite.example/docs",
        "extensions": ["a", "b", "c"],
        "links": {"issue": ["https://kite.example/%s", "#%s"], "pr": ["x%s", None]},
        "epilog": ".. |v| replace:: 1.2",
        "first": "1",
        "last": "3",
        "size": "big",
    }
    assert computed == ["bad", "other", "wide"]


def test_values_that_programs_put_into_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "marks.py").write_text(
        "import os\nTAG = os.getenv('TAG', 'main')\nURL = f'https://kite.example/{TAG}'\n"
        "def run(text):\n    return text.replace('{{#URL}}', URL).replace('{{ tag }}', TAG).replace('{{#n}}', str(text)).replace('a', 'b')\n"
    )
    assert replaced_marks(tmp_path / "marks.py") == {"url": "https://kite.example/main", "tag": "main"}
    (tmp_path / "main.py").write_text(
        "NAME = 'Kite'\ndef define_env(env):\n    base = NAME.lower()\n    env.variables['name'] = base\n"
        "    env.variables.size = 3\n    env.variables.update({'wind': {'speed': 'high'}})\n    env.variables['now'] = now()\n"
    )
    assert macro_variables(tmp_path / "main.py") == {"name": "kite", "size": "3", "wind.speed": "high"}
    (tmp_path / "broken.py").write_text("def (:\n")
    assert replaced_marks(tmp_path / "broken.py") == macro_variables(tmp_path / "broken.py") == {}


MACROS = '''"""Macros."""
import os

def define_env(env):
    """Add macros."""
    @env.macro
    def is_shop():
        "Whether kites are sold."
        return env.variables.edition == "SHOP"

    @env.macro
    def is_free():
        return not is_shop()

    @env.macro
    def name():
        suffix = " (shop)"
        if is_shop():
            return env.variables["kite"]["name"] + suffix
        return "Kite"

    @env.macro
    def price():
        if is_shop():
            return None
        return "9"

    @env.macro
    def today():
        return os.popen("date").read()

    @env.macro
    def twice(text):
        return text + text

    def hidden():
        return "x"

    env.variables["greeting"] = "Hello " + name()
'''


def test_macros_without_arguments_have_the_values_that_they_give(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MACROS, encoding="utf-8")
    given = {"edition": "SHOP", "kite.name": "Silk"}
    assert macro_variables(tmp_path / "main.py", given) == {
        "is_shop()": "True",
        "is_free()": "False",
        "name()": "Silk (shop)",
        "greeting": "Hello Silk (shop)",
    }


def test_macros_that_call_each_other_have_no_value(tmp_path: Path) -> None:
    program = "def define_env(env):\n    @env.macro\n    def a():\n        return b()\n    @env.macro\n    def b():\n        return a()\n"
    (tmp_path / "main.py").write_text(program, encoding="utf-8")
    assert macro_variables(tmp_path / "main.py") == {}


def written(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def test_folders_with_markdown_that_nothing_reads_are_counted(tmp_path: Path) -> None:
    few = [f"few/{name}.md" for name in "ab"]
    many = [
        f"{folder}/{name}.md"
        for folder in ("notes", "deep/a/b/c", "tests", "_drafts", ".github", "out")
        for name in "abc"
    ]
    site = written(tmp_path, "docs/a.md", "README.md", "notes/_part.md", "notes/d.md", "notes/e.txt", *few, *many)
    config = parse_config('title = "K"\nexclude = ["out/**"]\n')
    assert unread_folders(site, site, config, {"docs/a.md"}) == {"notes": 4, "deep/a/b": 3}
    assert list(unread_folders(site, site, config, {"notes/a.md", "notes/b.md"})) == ["deep/a/b"]
    assert unread_folders(site / "docs", site, config, set()) == {}


def test_pages_that_are_no_markdown_are_listed(tmp_path: Path) -> None:
    names = (
        "docs/b.adoc",
        "docs/a.adoc",
        "docs/n.ipynb",
        "docs/_no.adoc",
        "docs/page.HTML",
        "docs/tests/c.adoc",
        "docs/out/d.adoc",
    )
    site = written(tmp_path, "docs/x.md", "other/y.org", "mounted/z.qmd", *names)
    config = parse_config('title = "K"\nexclude = ["docs/out/**"]\nmounts = { mounted = "/m" }\n')
    found = {
        "AsciiDoc": ["docs/a.adoc", "docs/b.adoc"],
        "notebooks of Jupyter": ["docs/n.ipynb"],
        "Quarto": ["mounted/z.qmd"],
    }
    assert unread_pages(site, config, "mkdocs") == found
    assert unread_pages(site, config, "hugo") == {**found, "HTML": ["docs/page.HTML"]}
    static = parse_config('title = "K"\ndocs = "docs"\nstatic = "docs"\n')
    assert "HTML" not in unread_pages(site, static, "hugo")
