"""Extensions that fail, hang or give what does not fit: findings that name them, and all else is published."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.extending import site_extensions
from octavo.extensions import API_VERSION
from octavo.runtime import is_running
from tests.support.sites import HOME, MakeSite, page
from tests.support.waiting import wait_for

from .test_extensions import CONFIG, with_directives, word, write_extension

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
    "endless loop": (
        "while True: pass",
        "it took longer than 1.5 s and was ended (ext/kit.py:{head}). Let it do less, or raise extension_timeout_s.",
    ),
    "endless loop that catches all": (
        "while True:\n        try:\n            import time; time.sleep(9)\n        except BaseException: pass",
        "it took longer than 1.5 s and was ended (ext/kit.py:{head}). Let it do less, or raise extension_timeout_s.",
    ),
    "endless loop without its streams": (
        "import os; os.closerange(3, 64)\n    while True: pass",
        "it took longer than 1.5 s and was ended (ext/kit.py:{head}). Let it do less, or raise extension_timeout_s.",
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


UNSENDABLE = {
    "half a character": ("return '\\ud800'", "ValueError: it gave a text that is not Unicode: surrogates not allowed"),
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


def test_function_registered_with_a_second_extension_is_a_finding(make_site: MakeSite) -> None:
    second = "from octavo.extensions import Extension\n\nother = Extension('other')\n\n@other.directive('box')\ndef box(block):\n    return 'x'\n"
    *_, found = make_site(write_extension(second), CONFIG).check()
    files = write_extension(second)
    line = files["ext/kit.py"].partition("@other")[0].count("\n") + 1
    assert 'the directive "box" is registered with other, and only what is registered with extension is used' in found
    assert f"(ext/kit.py:{line})" in found
