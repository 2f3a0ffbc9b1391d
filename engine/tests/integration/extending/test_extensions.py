"""Extensions of a site in Python, in published sites."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.extending import Cost
from octavo.manifest import PAGES_PATH
from octavo.publish import build_site
from tests.support.sites import HOME, SVG, MakeSite, as_line, page

CONFIG = 'extensions = ["ext/kit.py"]\n'
KIT = """
from dataclasses import dataclass
from octavo.extensions import BODY, Directive, Extension, Fence, Finding, Html, Markdown, NewDocument

extension = Extension("kit", inputs=["data/releases/*.txt"])
extension.front_matter("since", int)

@dataclass
class Size:
    width: int = 1

@extension.directive("release")
def release(block: Directive) -> Markdown:
    return Markdown(f"**New in {block.label}**, see [A](./a.md).")

@extension.directive("frame", attributes=Size)
def frame(block: Directive[Size]):
    return [Html(f'<section class="frame" data-width="{block.attributes.width}">'), BODY, Html("</section>")]

@extension.directive("file")
def file(block: Directive):
    return "```text\\n" + block.inputs.read_text(block.attributes["src"]) + "\\n```"

@extension.fence("csv-table")
def table(fence: Fence):
    rows = [line.split(",") for line in fence.text.splitlines()]
    return [Html("<table>"), Html("".join("<tr>" + "".join(f"<td>{c}</td>" for c in r) + "</tr>" for r in rows)), Html("</table>")]

@extension.documents
def releases(call):
    return [NewDocument(f"releases/{p.stem}.md", f"# Release {p.stem}\\n\\n{p.read_text()}") for p in call.inputs.declared()]

@extension.transform
def shout(source):
    return source.text.replace("SHOUT", "shouted\\n\\nand more")

@extension.check
def titles(site):
    for one in site.pages:
        if one.fields.get("since", 0) > 5:
            yield Finding(f"{one.title} is too new.", one.path, line=2)
"""
FILES = {
    "ext/kit.py": KIT,
    "data/code.txt": "print(1)",
    "data/releases/1.0.txt": "The first one.",
    "docs/a.md": page(
        "A",
        ":::release[1.2]\n:::\n\n::release[*1.3*]\n\n:::frame{width=3}\nInner [B](./b.md).\n:::\n\n"
        "::file{src=data/code.txt}\n\n```csv-table\na,b\nc,d\n```\n\nSHOUT\n\n![](/x.svg)",
        since=3,
    ),
    "docs/b.md": page("B", "Text.", since=9),
    "static/x.svg": SVG,
    **HOME,
}


def test_everything_that_is_registered_takes_part(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    found = site.check()
    html = site.html("/a")
    assert '<strong>New in 1.2</strong>, see <a href="/a"' in html
    assert "<strong>New in <em>1.3</em></strong>" in html
    assert '<section class="frame" data-width="3"><p>Inner <a href="/b"' in html
    assert "print(1)" in html
    assert "<tr><td>a</td><td>b</td></tr>" in html
    assert "shouted" in html
    assert "The first one." in site.html("/releases/1.0")
    # The place behind what a transform has changed is that of the file.
    assert [one.partition(" Say")[0] for one in found] == [
        'docs/a.md:24:1: warn: The image "/x.svg" has no alternative text.',
        "docs/b.md:2:1: warn: kit: B is too new. [extension-finding]",
    ]


def write_extension(body: str, **files: str) -> dict[str, str]:
    head = "from octavo.extensions import *\nextension = Extension('kit')\n"
    return {
        "ext/kit.py": head + body,
        "docs/a.md": page("A", "Before.\n\n:::box[x]\nInner text.\n:::\n\nAfter."),
        **HOME,
        **files,
    }


def word(name: str) -> str:
    return name.replace(" ", "-")


def with_directives(bodies: Mapping[str, str]) -> dict[str, str]:
    """An extension with a directive for each body, and a page that uses each, from line 5 on in steps of four."""
    functions = "".join(
        f"@extension.directive('{word(name)}')\ndef function{number}(block):\n    {body}\n"
        for number, (name, body) in enumerate(bodies.items())
    )
    uses = "\n\n".join(f":::{word(name)}\nInner {number}.\n:::" for number, name in enumerate(bodies))
    return {**write_extension(functions), "docs/a.md": page("A", uses)}


def test_misspelt_directive_is_named(make_site: MakeSite) -> None:
    site = make_site(FILES | {"docs/c.md": page("C", ":::fraem\nText.\n:::")} | HOME, CONFIG)
    (found,) = [one for one in site.check() if "docs/c.md" in one]
    assert 'Did you mean "frame"?' in found


def test_values_that_do_not_fit_are_found_in_the_page(make_site: MakeSite) -> None:
    body = ":::frame{width=wide}\nText.\n:::\n\n:::frame{width=}\nText.\n:::"
    found = make_site({**FILES, "docs/a.md": page("A", body, since="soon")}, CONFIG).check()
    assert [one for one in found if "docs/a.md" in one] == [
        (
            'docs/a.md:3:1: warn: Front matter that the front-matter field "since" of the extension "kit" takes do not fit: '
            "the value must be a whole number, and is text. [extension-finding]"
        ),
        (
            'docs/a.md:6:1: warn: Attributes that the directive "frame" of the extension "kit" takes do not fit: "width" '
            "must be a whole number, and is text. [extension-finding]"
        ),
        (
            'docs/a.md:10:1: warn: The attributes "{width=}" cannot be read. Write them as {#id .class key="value"}. '
            "[malformed-tag]"
        ),
    ]


@pytest.mark.parametrize("name", ["title", "sidebar_label", "navTitle", "sidebar"])
def test_field_with_the_name_of_a_setting_is_found(make_site: MakeSite, name: str) -> None:
    """Pages keep the setting, so the extension would wait for a value that never comes."""
    site = make_site({**FILES, "ext/kit.py": KIT.replace('"since", int', f'"{name}", int')}, CONFIG)
    (found,) = [one for one in site.check() if "setting of Octavo's own" in one]
    assert found.startswith(f'ext/kit.py:6:1: error: The front-matter field "{name}" of "kit" is a setting of ')
    assert found.endswith("The extension gets no value of it; give it another name. [extension]")


def test_attributes_and_keys_that_a_type_lacks_are_found_in_the_page(make_site: MakeSite) -> None:
    """A misspelt name was dropped in silence: the directive got the default of what its author had set."""
    kit = KIT.replace(
        "@extension.directive(", 'extension.front_matter("size", Size)\n\n@extension.directive(', 1
    ).replace(
        "@extension.fence(",
        '@extension.fence("sized", attributes=Size)\ndef sized(fence):\n    return ""\n\n@extension.fence(',
    )
    body = ":::frame{widht=3 .big}\nText.\n:::\n\n```sized {height=2}\n```\n\n::release[1]{anything=goes}"
    files = {**FILES, "ext/kit.py": kit, "docs/a.md": page("A", body, size={"with": 3})}
    site = make_site(files, CONFIG)
    assert [one for one in site.check() if "docs/a.md" in one] == [
        'docs/a.md:3:1: warn: kit: The front-matter field "size" takes no "with". Did you mean "width"? [extension-finding]',
        'docs/a.md:6:1: warn: kit: The directive "frame" takes no "class". It takes "width". [extension-finding]',
        'docs/a.md:6:1: warn: kit: The directive "frame" takes no "widht". Did you mean "width"? [extension-finding]',
        'docs/a.md:10:1: warn: kit: The fence "sized" takes no "height". It takes "width". [extension-finding]',
    ]
    assert '<section class="frame" data-width="1">' in site.html("/a")


# The cache


def test_page_is_made_anew_when_a_file_that_its_directive_has_read_changes(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    site.build()
    assert site.build().drawn == 0
    site.write({"data/code.txt": "print(2)"})
    assert site.build().drawn == 1
    assert "print(2)" in site.html("/a")
    (site.root / "data/code.txt").unlink()
    assert any("there is no file" in one for one in site.check())
    site.write({"data/code.txt": b"\xff\xfe"})
    assert any("UnicodeDecodeError" in one for one in site.check())
    site.write({"data/code.txt": "print(4)"})
    assert site.check() != []
    assert "print(4)" in site.html("/a")


DECLARED = """
from octavo.extensions import Extension
extension = Extension("kit", inputs=["data/releases/*.txt"])
@extension.directive("latest")
def latest(block):
    # Not through `inputs`: a library may read the files that an extension declares.
    return sorted(block.inputs.declared())[-1].read_text()
"""


def test_other_inputs_of_an_extension_make_pages_anew_that_call_it_and_no_others(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "ext/kit.py": DECLARED,
            "docs/a.md": page("A", ":::latest\n:::"),
            "docs/b.md": page("B", "Text."),
            "data/releases/1.0.txt": "The first.",
        },
        CONFIG,
    )
    site.build()
    site.write({"data/releases/1.0.txt": "The first, mended."})
    assert site.build().drawn == 1
    assert "The first, mended." in site.html("/a")
    site.write({"data/releases/1.1.txt": "The second."})
    assert site.build().drawn == 1
    assert "The second." in site.html("/a")
    assert site.build().drawn == 0


def test_same_site_in_another_folder_has_the_same_list_of_pages(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site(FILES, CONFIG)
    site.build()
    other, out = tmp_path / "elsewhere", tmp_path / "out"
    shutil.copytree(site.root, other, ignore=shutil.ignore_patterns(".octavo"))
    build_site(other, out)
    assert (out / PAGES_PATH).read_bytes() == (site.out / PAGES_PATH).read_bytes()


PEOPLE = """
@extension.documents
def people(call):
    for number, row in enumerate(call.inputs.read_text("data/people.csv").splitlines()[1:], start=2):
        id, name, about = row.split(",")
        yield NewDocument(f"{id}.md", f"# {name}\\n\\nAbout:\\n\\n{about}\\n", made_from="data/people.csv"ORIGINS)
"""


@pytest.mark.parametrize("origins", ["", ', origins={1: ("data/people.csv", number)}'])
def test_findings_in_made_documents_are_at_what_they_are_made_from(make_site: MakeSite, origins: str) -> None:
    rows = "id,name,about\nada,Ada,Writes [programs](./gone.md).\nbo,Bo,Reads [programs](./gone.md).\n"
    site = make_site({**write_extension(PEOPLE.replace("ORIGINS", origins)), "data/people.csv": rows}, CONFIG)
    assert [one.partition(" Did")[0] for one in site.check() if "people" in one] == [
        (
            f'data/people.csv:{line}:{column}: error: link "./gone.md" leads to no document and no file. It is in the document '
            f'"docs/{name}.md", line 5, which is made from this file. [broken-link]'
        )
        for name, line, column in (("ada", 2, 16), ("bo", 3, 13))
    ]


STRICT = (
    PEOPLE.replace("ORIGINS", "")
    + """
@extension.check
def all_named(site):
    return [Finding("No owner", page.path, level="warn") for page in site.pages if page.route == "/ada"]
"""
)


def test_message_without_an_end_is_a_sentence_before_the_place_of_a_made_document(make_site: MakeSite) -> None:
    site = make_site({**write_extension(STRICT), "data/people.csv": "id,name,about\nada,Ada,Writes.\n"}, CONFIG)
    [found] = [one for one in site.check() if "No owner" in one]
    assert "No owner. It is in the document" in found


def test_documents_follow_the_files_that_the_extension_declares(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    site.build()
    site.write({"data/releases/1.1.txt": "The second one.", "data/releases/1.0.txt": "The oldest one."})
    site.check()
    assert "The second one." in site.html("/releases/1.1")
    assert "The oldest one." in site.html("/releases/1.0")
    (site.root / "data/releases/1.0.txt").unlink()
    site.check()
    assert not (site.out / "releases/1.0/index.html").exists()
    # A file of an author's takes the place of one that is made.
    site.write({"docs/releases/1.1.md": page("Mine", "By hand.")})
    site.check()
    assert "By hand." in site.html("/releases/1.1")


def test_changed_source_of_an_extension_or_of_a_module_beside_it_makes_pages_anew(make_site: MakeSite) -> None:
    helper = {"ext/kit_words.py": "WORD = 'one'"}
    body = "import kit_words\n@extension.directive('box')\ndef box(block):\n    return kit_words.WORD\n"
    site = make_site({**write_extension(body), **helper}, CONFIG)
    site.check()
    assert "<p>one</p>" in site.html("/a")
    site.write({"ext/kit_words.py": "WORD = 'two'"})
    site.check()
    assert "<p>two</p>" in site.html("/a")
    site.write({"ext/kit.py": write_extension(body.replace("kit_words.WORD", "'three'"))["ext/kit.py"]})
    site.check()
    assert "<p>three</p>" in site.html("/a")
    assert not list((site.root / "ext").glob("__pycache__"))


def test_module_that_is_imported_by_a_call_is_an_input_too(make_site: MakeSite) -> None:
    body = "@extension.directive('box')\ndef box(block):\n    import kit_late\n    return kit_late.WORD\n"
    site = make_site({**write_extension(body), "ext/kit_late.py": "WORD = 'one'"}, CONFIG)
    site.check()
    site.write({"ext/kit_late.py": "WORD = 'two'"})
    site.check()
    assert "<p>two</p>" in site.html("/a")


def test_many_pages_are_made_by_several_processes_with_the_same_outcome(make_site: MakeSite) -> None:
    pages = {f"docs/p{number}.md": page(f"P{number}", f"::release[{number}]") for number in range(60)}
    site = make_site({**FILES, **pages}, CONFIG)
    times: list[Cost] = []
    build_site(site.root, site.out, times=times)
    assert all(f"<strong>New in {number}</strong>" in site.html(f"/p{number}") for number in range(60))
    calls = {(one.extension, one.function): one.calls for one in times}
    assert calls["kit", "directive release"] == 62
    assert calls["kit", "check titles"] == 1
    assert calls["kit", "documents releases"] == 1
    assert all(one.seconds >= 0 for one in times)
    assert not list(site.root.glob(".octavo/*.jsonl"))


# Purity

IMPURE = {
    "a file": ("open('data.txt').read()", 'It reads "data.txt", which is not declared.'),
    "its own source": ("open(__file__).read()", 'It reads "ext/kit.py", which is not declared.'),
    "a folder": (
        "__import__('os').listdir('docs')",
        'It lists the folder "docs", though inputs of the extension name no file in it.',
    ),
    "a program": ("__import__('subprocess').run(['true'])", "It starts a program (true)."),
    "the clock": (
        "__import__('time').time_ns()",
        "It gives something else when it is called again with the same argument.",
    ),
    "writing": ("open('new.txt', 'w').close()", 'It writes "new.txt"; functions that make pages write nothing.'),
}


def test_what_is_not_declared_is_found(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    files = with_directives({name: f"return str({expression})" for name, (expression, _) in IMPURE.items()})
    site = make_site({**files, "data.txt": "x"}, CONFIG)
    monkeypatch.chdir(site.root)
    found = [as_line(one) for one in build_site(site.root, None, tests_extensions=True).diagnostics]
    assert [one.partition("not pure. ")[2].partition(" Read files")[0] for one in found] == [
        message for _, message in IMPURE.values()
    ]
    assert found[0].startswith('ext/kit.py:3:1: warn: The directive "a-file" of the extension "kit" is not pure. ')


def test_pure_extension_passes_the_test_and_leaves_no_cache(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    found = [as_line(one) for one in build_site(site.root, None, tests_extensions=True).diagnostics]
    assert [one for one in found if "extension-input" in one] == []
    assert not (site.root / ".octavo").exists()


# Publishing and commands


def test_functions_are_called_after_publishing_and_only_then(make_site: MakeSite) -> None:
    body = (
        "@extension.after_publish\ndef note(done):\n"
        "    (done.site_dir / 'note.txt').write_text(f'{done.url} {len(done.routes)} {(done.out / \"index.html\").is_file()}')\n"
        "@extension.directive('box')\ndef box(block):\n    return BODY\n"
    )
    site = make_site(write_extension(body), CONFIG)
    build_site(site.root, None, is_publication=True)
    site.build()
    assert not (site.root / "note.txt").exists()
    build_site(site.root, site.out, is_publication=True)
    assert (site.root / "note.txt").read_text("utf-8") == "http://localhost:3000/ 2 True"


def test_commands_run_with_their_arguments(make_site: MakeSite) -> None:
    body = (
        "@extension.command('greet')\ndef greet(call):\n    print('hello', *call.arguments)\n    return 4\n"
        "@extension.command('fail')\ndef fail(call):\n    raise ValueError('no network')\n"
    )
    site = make_site(write_extension(body), CONFIG)
    run = partial(CliRunner().invoke, octavo)
    listed = run(["run", "--site", str(site.root)])
    assert (listed.exit_code, listed.output) == (0, "fail\ngreet\n")
    greeted = run(["run", "--site", str(site.root), "greet", "--loud", "you"])
    assert (greeted.exit_code, greeted.output) == (4, "hello --loud you\n")
    failed = run(["run", "--site", str(site.root), "fail"])
    assert (failed.exit_code, failed.output) == (
        1,
        'octavo: the command "fail" failed: ValueError: no network (ext/kit.py:9)\n',
    )
    unknown = run(["run", "--site", str(site.root), "nope"])
    assert str(unknown.exception) == 'No extension of this site registers the command "nope"; registered: fail, greet.'


def test_command_ends_though_an_extension_has_begun_a_thread(make_site: MakeSite) -> None:
    # `print` writes the end of a line after the line: the other thread could write between the two.
    body = (
        "import threading\nstopped = threading.Event()\nthreading.Thread(target=stopped.wait).start()\n"
        "@extension.command('greet')\ndef greet(call):\n"
        "    threading.Thread(target=lambda: print('and work\\n', end='')).start()\n    print('hello\\n', end='')\n    return 4\n"
    )
    site = make_site(write_extension(body), CONFIG)
    command = [sys.executable, "-m", "octavo", "run", "--site", str(site.root)]
    listed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (listed.returncode, listed.stdout) == (0, "greet\n")
    greeted = subprocess.run([*command, "greet"], capture_output=True, text=True, timeout=60, check=False)
    assert greeted.returncode == 4
    assert sorted(greeted.stdout.split("\n")) == ["", "and work", "hello"]


def test_site_without_extensions_starts_nothing(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen.__init__", lambda *_, **__: pytest.fail("a process was started"))
    assert make_site({"docs/a.md": page("A"), **HOME}).check() == []


def test_examples_of_the_documentation_do_what_they_say(make_site: MakeSite) -> None:
    text = (Path(__file__).parents[4] / "docs" / "extend.md").read_text("utf-8")
    examples = re.findall(r"^```python[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    names = [f"ext/example_{number}.py" for number in range(len(examples))]
    # Two of them are called `releases`.
    sources = {name: source.replace('"releases"', f'"{name}"') for name, source in zip(names, examples, strict=True)}
    pages = {
        "docs/a.md": page("A", "::release[1.2]\n\n:::frame{width=2}\nIn.\n:::\n\n```csv\na,b\n1,2\n```", since="1.1"),
        "docs/long.md": page("L" * 61),
        "docs/releases/index.md": page("All releases"),
        "data/releases/1.2.md": "The **second**.",
    }
    site = make_site({**pages, **sources, **HOME}, f"extensions = {names}\n")
    found = build_site(site.root, site.out, is_publication=True).diagnostics
    assert [one.message for one in found if one.code.startswith("extension")] == [
        'style: The title of "/long" is longer than 60 characters.'
    ]
    html = site.html("/a")
    for shown in ("<em>Since 1.1.</em>", "<strong>New in 1.2.</strong>", 'data-width="2"><p>In.</p>', "<td>1</td>"):
        assert shown in html
    assert "The <strong>second</strong>." in site.html("/releases/1.2")
    assert "pages at http://localhost:3000/" in (site.root / "published.txt").read_text("utf-8")
    greeted = CliRunner().invoke(octavo, ["run", "--site", str(site.root), "greet", "you"])
    assert greeted.output == "Hello you\n"
