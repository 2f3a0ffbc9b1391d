"""Extensions of a site in Python, in published sites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.extending import Cost, site_extensions
from octavo.extensions import API_VERSION
from octavo.publish import build_site
from octavo.runtime import is_running
from tests.support.sites import HOME, SVG, MakeSite, as_line, page
from tests.support.waiting import wait_for

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


BROKEN = {
    "exception": ("raise ValueError('bad date')", "ValueError: bad date (ext/kit.py:{line})."),
    "other type": (
        "return 5",
        "TypeError: it gave int; expected str, Markdown, Html, BODY, or a list of these (ext/kit.py:{head}).",
    ),
    "bytes": (
        "return b'text'",
        "TypeError: it gave bytes; expected str, Markdown, Html, BODY, or a list of these (ext/kit.py:{head}).",
    ),
    "table": (
        "return {'html': 'text'}",
        "TypeError: it gave dict; expected str, Markdown, Html, BODY, or a list of these (ext/kit.py:{head}).",
    ),
    "exit": ("raise SystemExit(3)", "SystemExit: 3 (ext/kit.py:{line})."),
    "end of the process": ("import os; os._exit(3)", "its process has ended with exit code 3 (ext/kit.py:{head})."),
    "endless loop": ("while True: pass", "it took longer than 1.5 s and was ended (ext/kit.py:{head})."),
    "endless loop that catches all": (
        "while True:\n        try:\n            import time; time.sleep(9)\n        except BaseException: pass",
        "it took longer than 1.5 s and was ended (ext/kit.py:{head}).",
    ),
    "endless loop without its streams": (
        "import os; os.closerange(3, 64)\n    while True: pass",
        "it took longer than 1.5 s and was ended (ext/kit.py:{head}).",
    ),
    "missing file": (
        "return block.inputs.read_text('data/nope.txt')",
        'FileNotFoundError: there is no file "data/nope.txt" (ext/kit.py:{line}).',
    ),
    "file outside": (
        "return block.inputs.read_text('/etc/passwd')",
        (
            'PermissionError: "/etc/passwd" lies outside the site\'s folder. Name it in inputs of the extension. '
            "(ext/kit.py:{line})."
        ),
    ),
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


def test_function_that_fails_is_a_finding_and_its_content_is_published(make_site: MakeSite) -> None:
    files = with_directives({name: body for name, (body, _) in BROKEN.items()})
    settings = CONFIG + "extension_timeout_s = 1.5\n[diagnostics]\nextension = 'warn'\n"
    site = make_site(files, settings)
    line_of = {name: files["ext/kit.py"].partition(body)[0].count("\n") + 1 for name, (body, _) in BROKEN.items()}
    assert site.check() == [
        f'docs/a.md:{5 + 4 * number}:1: warn: The directive "{word(name)}" of the extension "kit" failed: '
        f"{message.format(line=line_of[name], head=line_of[name] - 2)} [extension]"
        for number, (name, (_, message)) in enumerate(BROKEN.items())
    ]
    assert "".join(f"<p>Inner {number}.</p>" for number in range(len(BROKEN))) in site.html("/a").replace("\n", "")
    # By default it is an error, and the site as it was stays.
    assert not make_site(files, settings.partition("[diag")[0], name="strict").build().is_published


def test_memory_of_extensions_has_a_limit(make_site: MakeSite) -> None:
    files = write_extension("@extension.directive('box')\ndef box(block):\n    return 'x' * 10**10\n")
    [found] = make_site(files, CONFIG + "extension_memory_mb = 600\n").check()
    assert "MemoryError: the memory that an extension may use is used up (ext/kit.py:5)." in found


def test_function_that_hangs_is_given_up_after_the_first_page(make_site: MakeSite) -> None:
    files = write_extension("@extension.directive('box')\ndef box(block):\n    while True: pass\n")
    files |= {f"docs/p{number}.md": page(f"P{number}", ":::box\n:::") for number in range(6)}
    found = make_site(files, CONFIG + "extension_timeout_s = 1.5\n").check()
    assert len(found) == 7
    assert sum("it is not called again in this build" in one for one in found) == 6


def test_what_a_hanging_function_has_started_ends_with_it(make_site: MakeSite) -> None:
    start = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    body = f"{start}; open('{{pid}}', 'w').write(str(p.pid))\n    while True: pass"
    site = make_site({"ext/kit.py": "", **HOME}, CONFIG + "extension_timeout_s = 2.0\n")
    note = site.root.parent / "pid"
    site.write(write_extension(f"@extension.directive('box')\ndef box(block):\n    {body.format(pid=note)}\n"))
    assert len(site.check()) == 1
    wait_for(lambda: not is_running(note.read_text()))


NOT_LOADED = {
    "syntax": ("def (", "SyntaxError: invalid syntax (ext/syntax.py:1)."),
    "exception": ("\n1/0", "ZeroDivisionError: division by zero (ext/exception.py:2)."),
    "module": ("import nope_nope", "ModuleNotFoundError: No module named 'nope_nope' (ext/module.py:1)."),
    "nothing": (
        "x = 1",
        'it has no Extension with the name extension; write: extension = Extension("…") (ext/nothing.py:1).',
    ),
    "endless": ("while True: pass", "while it was loaded, it took longer than 5 s and was ended."),
    "version": (
        "from octavo.extensions import Extension\nextension = Extension('kit', api=7)",
        f"it was written for version 7 of octavo.extensions; this is {API_VERSION} (ext/version.py:1).",
    ),
    "missing": (None, 'FileNotFoundError: there is no file "ext/missing.py".'),
}


def test_extension_that_cannot_be_loaded_is_a_finding_and_others_work(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_extensions, "_LOAD_S", 5)
    names = [*NOT_LOADED, "good"]
    settings = f"extensions = {[f'ext/{name}.py' for name in names]}\nextension_timeout_s = 5\n"
    sources = {f"ext/{name}.py": source for name, (source, _) in NOT_LOADED.items() if source is not None}
    site = make_site({"docs/a.md": page("A", ":::badge\nIn.\n:::"), **sources, "ext/good.py": GOOD, **HOME}, settings)
    found = [one.message for one in site.build().diagnostics]
    assert sorted(found) == sorted(
        f'The extension "ext/{name}.py" cannot be loaded: {message}' for name, (_, message) in NOT_LOADED.items()
    )
    # They are tried again: what was missing may have been installed.
    site.write({f"ext/{name}.py": GOOD.replace("good", name).replace("badge", name) for name in NOT_LOADED})
    assert site.check() == []
    assert "<p>In.</p>" in site.html("/a")


GOOD = """
from octavo.extensions import BODY, Extension
extension = Extension("good")

@extension.directive("badge")
def badge(block):
    return BODY
"""


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
            "Expected `int`, got `str`. [extension-finding]"
        ),
        (
            'docs/a.md:6:1: warn: Attributes that the directive "frame" of the extension "kit" takes do not fit: Expected `int`, '
            "got `str` - at `$.width`. [extension-finding]"
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


UNSENDABLE = {
    "half a character": ("return '\\ud800'", "ValueError: it gave a text that is no Unicode: surrogates not allowed"),
    "nul": ("return Html('\\0<b>')", "ValueError: it gave a text with the character NUL"),
    "own text": (
        "return Markdown(type('S', (str,), {})('x'))",
        "ValueError: it gave a value that cannot be sent: Encoding objects of type S is unsupported",
    ),
    "a warning of a number": (
        "block.warn(5)\n    return 'x'",
        "TypeError: it gave a Finding with a wrong value: Expected `str`, got `int` - at `$.message`",
    ),
    "a warning without a text": ("block.warn(' ')\n    return 'x'", "TypeError: it gave a Finding without a message"),
    "an error without a text": (
        "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})()",
        "E: its text cannot be written: ZeroDivisionError",
    ),
    "a long error": ("raise ValueError('x' * 5_000_000)", f"ValueError: {'x' * 1_000}…"),
    "an answer of its own": (
        "import msgspec\n    msgspec.msgpack.encode = lambda *_: b'junk'\n    return 'x'",
        "its process has given an answer that cannot be read",
    ),
}


def test_failures_of_every_kind_are_findings_and_the_others_are_made(make_site: MakeSite) -> None:
    files = with_directives({name: code for name, (code, _) in UNSENDABLE.items()})
    site = make_site(files, CONFIG)
    found = [one for one in site.check() if one.endswith("[extension]")]
    assert len(found) == len(UNSENDABLE)
    for one, (_, message) in zip(found, UNSENDABLE.values(), strict=True):
        assert f"failed: {message} (ext/kit.py" in one.replace("; it is not called again in this build", "")


def test_nothing_that_an_extension_has_started_is_left_running(make_site: MakeSite) -> None:
    start = "__import__('subprocess').Popen(['sleep', '1000'], start_new_session={}).pid"
    fork = "__import__('os').fork() and 'one'"
    codes = {"in the group": start.format(False), "in a session": start.format(True), "a copy": fork}
    files = with_directives({name: f"return str({code})" for name, code in codes.items()})
    site = make_site(files, CONFIG)
    assert [one for one in site.check() if one.endswith("[extension]")] == []
    shown = re.findall(r"<p>(\d+)</p>", site.html("/a"))
    assert len(shown) == 2
    assert "<p>one</p>" in site.html("/a")
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in shown))


UNREGISTRABLE = {
    "@extension.check\ndef a(site):\n    return []\n" * 2: 'ValueError: the check "a" is registered twice',
    "@extension.directive('a b')\ndef a(block):\n    return ''\n": 'ValueError: "a b" cannot be the name of a directive',
    "@extension.directive\ndef a(block):\n    return ''\n": (
        'TypeError: a directive needs a name; write @extension.directive("name") above the function'
    ),
    "@extension.check('links')\ndef a(site):\n    return []\n": (
        "TypeError: @extension.check takes no name; write it above the function without parentheses"
    ),
    "@extension.check()\ndef a(site):\n    return []\n": (
        "TypeError: @extension.check is written above the function without parentheses"
    ),
    "@extension.check\nasync def a(site):\n    return []\n": (
        'the check "a" is an async function, for which nobody waits; write def without async'
    ),
    "@extension.fence('box')\ndef a(fence, site):\n    return ''\n": (
        'the fence "box" is called with one argument, a Fence; its function takes (fence, site)'
    ),
    "@extension.documents\ndef a():\n    return []\n": (
        'the documents function "a" is called with one argument, a Documents; its function takes ()'
    ),
    "extension.command('go')(5)\n": 'the command "go" is of type int; expected a function that takes a Command',
    "class Size: pass\n@extension.directive('box', attributes=Size)\ndef a(block):\n    return ''\n": (
        'the directive "box" has the type Size; expected a dataclass'
    ),
    "extension.front_matter('since', 5)\n": (
        "the front-matter field \"since\" has a type that texts cannot be converted to: Type '5' is not supported"
    ),
    "extension = Extension(5)\n": "TypeError: the name of an extension is a text; it is int here",
    "extension = Extension('kit', inputs='data/*.csv')\n": (
        'TypeError: inputs is a list of texts, such as ["data/*.csv"]'
    ),
}


@pytest.mark.parametrize("body", UNREGISTRABLE)
def test_registrations_that_could_never_work_are_findings(make_site: MakeSite, body: str) -> None:
    (found,) = (one for one in make_site(write_extension(body), CONFIG).check() if "kit.py" in one)
    assert f'The extension "ext/kit.py" cannot be loaded: {UNREGISTRABLE[body]} (ext/kit.py:' in found


SERIES = {
    ("documents", "'x.md'"): "it gave str; expected a list of NewDocument",
    ("documents", "{'x.md': 'text'}"): "it gave dict; expected a list of NewDocument",
    ("documents", "[('x.md', 'text')]"): "it gave a list with tuple; expected a list of NewDocument",
    ("check", "b'wrong'"): "it gave bytes; expected a list of Finding",
    ("check", "Finding('Wrong.', 'docs/a.md')"): "it gave Finding; expected a list of Finding",
    ("transform", "b'text'"): "it gave bytes; expected str",
}


@pytest.mark.parametrize(("kind", "given"), SERIES)
def test_values_in_the_place_of_others_are_findings_at_the_function(make_site: MakeSite, kind: str, given: str) -> None:
    site = make_site(write_extension(f"@extension.{kind}\ndef give(argument):\n    return {given}\n"), CONFIG)
    found = [one for one in site.check() if "[extension]" in one]
    assert found
    assert all(f"failed: TypeError: {SERIES[kind, given]} (ext/kit.py:3)." in one for one in found)


WRONG = {
    "NewDocument(1, 'x')": "NewDocument with a wrong value: Expected `str`, got `int` - at `$.path`",
    "NewDocument('x.md', None)": "NewDocument with a wrong value: Expected `str`, got `null` - at `$.text`",
    "NewDocument('x.md', 'x', made_from=3)": "NewDocument with a wrong value: Expected `str`, got `int` - at `$.made_from`",
    "NewDocument('x.md', 'x', origins={1: 2})": "NewDocument with a wrong value: Expected `array`, got `int`",
    "Finding('x', 'docs/a.md', line='two')": "Finding with a wrong value: Expected `int`, got `str` - at `$.line`",
    "Finding('x', 'docs/a.md', level='fatal')": "Finding with a wrong value: Invalid enum value 'fatal' - at `$.level`",
    "Finding(None, None)": "Finding with a wrong value: Expected `str`, got `null` - at `$.message`",
    "Finding('', 'docs/a.md')": "Finding without a message",
}


@pytest.mark.parametrize("given", WRONG)
def test_values_of_wrong_types_are_findings(make_site: MakeSite, given: str) -> None:
    kind = "check" if given.startswith("Finding") else "documents"
    body = f"@extension.{kind}\ndef give(argument):\n    yield {given}\n"
    site = make_site(write_extension(body), CONFIG)
    (found,) = (one for one in site.check() if "[extension]" in one)
    assert found.startswith("ext/kit.py:")
    assert f"it gave a {WRONG[given]}" in found


def test_findings_before_a_failure_are_kept(make_site: MakeSite) -> None:
    body = (
        "@extension.check\ndef one(site):\n    yield Finding('First.', 'docs/a.md')\n    raise ValueError('stop')\n"
        "@extension.check\ndef two(site):\n    site.inputs.report('', 'docs/a.md')\n"
        "    site.inputs.report('Second.', 'docs/a.md')\n"
        "@extension.check\ndef three(site):\n    return [Finding('Third.', 'docs/a.md'), 3, Finding('Fourth.', 'docs/a.md')]\n"
    )
    found = "\n".join(make_site(write_extension(body), CONFIG).check())
    assert [word for word in ("First", "Second", "Third") if f"kit: {word}." not in found] == []
    assert "failed: ValueError: stop (ext/kit.py:" in found
    assert "failed: TypeError: it gave a Finding without a message" in found
    assert "failed: TypeError: it gave a list with int; expected a list of Finding" in found


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
