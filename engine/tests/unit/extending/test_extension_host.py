"""Extensions as their process loads and calls them, and what they do that they have not declared. No process is started."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo import extensions as api
from octavo.extension_host import Failure, Function, Request, find_commands, host, loading, run_command
from octavo.extension_host.audit import Audit, Watch
from octavo.extensions import API_VERSION
from octavo.extensions import hash_bytes as content_hash
from tests.support.each import each

HEAD = "from octavo.extensions import *\nextension = Extension('kit', inputs=['../named/*.txt'])\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a site's folder whose modules are forgotten after the test."""
    folder = tmp_path / "site"
    (folder / "ext").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", sys.dont_write_bytecode)
    monkeypatch.setattr(api, "_options", {})
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]


class Hook:
    """Takes the audit hook, which could not be taken away again, and is asked instead of the interpreter."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.hooks: list[Callable[[str, tuple[Any, ...]], None]] = []
        patch.setattr(sys, "addaudithook", self.hooks.append)

    def say(self, event: str, *arguments: object) -> None:
        for hook in self.hooks:
            hook(event, arguments)


def write(site: Path, source: str, name: str = "kit") -> str:
    (site / f"ext/{name}.py").write_text(HEAD + source)
    return f"ext/{name}.py"


# Loading


def test_extension_says_what_it_has_registered_and_consists_of(site: Path) -> None:
    (site / "ext/own_helper.py").write_text("X = 1\n")
    spec = write(
        site,
        "import own_helper, msgspec\n\n@extension.directive('box')\ndef box(block): ...\nextension.front_matter('f', int)\n",
    )
    described, loaded = loading.load_extension(spec, site)
    assert loaded is not None
    assert loaded.extension.name == "kit"
    assert (described.spec, described.name, described.path) == (spec, "kit", spec)
    assert described.functions == [Function("directive", "box", 5), Function("field", "f", 7)]
    assert described.inputs == ["../named/*.txt"]
    assert described.modules == sorted(os.path.realpath(site / "ext" / one) for one in ("kit.py", "own_helper.py"))
    assert described.failure is None
    assert sys.dont_write_bytecode


def test_module_of_the_site_is_an_extension_too(site: Path) -> None:
    write(site, "@extension.fence('f')\ndef f(block): ...\n")
    described, loaded = loading.load_extension("ext.kit", site)
    assert loaded is not None
    assert (described.spec, described.path) == ("ext.kit", "ext/kit.py")
    assert described.functions == [Function("fence", "f", 3)]
    assert loading.load_extension("ext.gone", site)[0].failure == Failure(
        "ModuleNotFoundError: No module named 'ext.gone'"
    )


@each(
    "name, source, message, place",
    [
        ("syntax", "\ndef (", "SyntaxError: invalid syntax", "ext/syntax.py:4"),
        ("failing", "1/0", "ZeroDivisionError: division by zero", "ext/failing.py:3"),
        ("deep", "def f():\n    1/0\nf()", "ZeroDivisionError: division by zero", "ext/deep.py:4"),
        ("file", "open('gone')", 'FileNotFoundError: there is no file "gone"', "ext/file.py:3"),
        ("exit", "raise SystemExit", "SystemExit", "ext/exit.py:3"),
        ("memory", "raise MemoryError('x')", "MemoryError: the memory that an extension may use is used up", "ext/memory.py:3"),
        ("long", "raise ValueError('x' * 1001)", f"ValueError: {'x' * 1000}…", "ext/long.py:3"),
        ("fitting", "raise ValueError('x' * 1000)", f"ValueError: {'x' * 1000}", "ext/fitting.py:3"),
        ("odd", "raise ValueError('a\\0b\\ud800')", "ValueError: ab?", "ext/odd.py:3"),
        ("textless", "class E(Exception):\n    def __str__(self): 1/0\nraise E()",
         "E: its text cannot be written: ZeroDivisionError", "ext/textless.py:5"),
        ("nothing", "extension = 1",
         'it has no Extension with the name extension; write: extension = Extension("…")', "ext/nothing.py:1"),
        ("older", "extension = Extension('kit', api=7)",
         f"it was written for version 7 of octavo.extensions; this is {API_VERSION}", "ext/older.py:1"),
        ("lost", "other = Extension('o')\n@other.directive('f')\ndef f(one): ...",
         'the directive "f" is registered with other, and only what is registered with extension is used', "ext/lost.py:4"),
        ("wrong", "@extension.directive('box')\nasync def box(block): ...",
         'the directive "box" is an async function, for which nobody waits; write def without async', "ext/wrong.py:3"),
    ],
)  # fmt: skip
def test_extension_that_cannot_be_loaded_says_why_and_where(
    site: Path, name: str, source: str, message: str, place: str
) -> None:
    described, loaded = loading.load_extension(write(site, source, name), site)
    assert loaded is None
    assert described.failure == Failure(message, place)
    assert described.functions == []


def test_file_of_an_extension_that_is_missing_is_named(site: Path) -> None:
    described, loaded = loading.load_extension("ext/gone.py", site)
    assert loaded is None
    assert (described.path, described.failure) == (
        "ext/gone.py",
        Failure('FileNotFoundError: there is no file "ext/gone.py"'),
    )


def test_place_of_a_failure_is_in_the_authors_own_files(site: Path) -> None:
    spec = write(site, "import json\ndef f():\n    json.loads('{')\nf()")
    failure = loading.load_extension(spec, site)[0].failure
    assert failure is not None
    assert failure.place == "ext/kit.py:5"
    assert loading.explain(ValueError("x"), site) == Failure("ValueError: x")
    outside = site.parent / "outside.py"
    with pytest.raises(SyntaxError) as found:
        compile("(", os.fspath(outside), "exec")
    assert loading.explain(found.value, site).place == f"{outside}:1"


def test_modules_that_a_call_imports_are_what_it_reads(site: Path) -> None:
    (site / "ext/late_one.py").write_text("X = 1\n")
    (site.parent / "elsewhere").mkdir()
    (site.parent / "elsewhere/late_two.py").write_text("X = 1\n")
    loading.load_extension(write(site, ""), site)
    sys.path.append(os.fspath(site.parent / "elsewhere"))
    before = set(sys.modules)
    exec("import late_one, late_two, xml.dom.minidom")
    assert loading.Loaded.read_modules(before, site) == {"ext/late_one.py": content_hash(b"X = 1\n")}
    assert loading.Loaded.read_modules(set(sys.modules), site) == {}


def test_distributions_that_an_extension_imports_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    without = set(sys.modules) - {"yaml"}
    assert loading._tools(without) == {"PyYAML": yaml.__version__}
    assert loading._tools(set(sys.modules)) == {}


# Calls


def call(site: Path, source: str, kind: str, argument: dict[str, Any], name: str = "x", **more: Any) -> Any:
    made = host._Host(site)
    spec = write(site, source)
    assert made.load(spec).failure is None
    return made.call(Request(spec, kind, name, argument, **more))


BLOCK = {"name": "x", "text": "", "page": "docs/a.md", "line": 3, "fields": {}, "label": "", "attributes": {}}
DIRECTIVE = "@extension.directive('x')\ndef box(block):\n    "


def test_call_gives_value_reads_and_findings(site: Path) -> None:
    (site / "a.txt").write_text("A")
    body = "block.inputs.report('M', 'b.md', 2, column=3, level='error', suggestion='S'); return block.inputs.read_text('a.txt')"
    answer = call(site, DIRECTIVE + body, "directive", BLOCK)
    assert answer.value == [("markdown", "A")]
    assert answer.reads == {"a.txt": content_hash(b"A")}
    assert [msgspec.to_builtins(one) for one in answer.findings] == [
        {"message": "M", "path": "b.md", "line": 2, "column": 3, "level": "error", "suggestion": "S"}
    ]
    assert (answer.failure, answer.undeclared) == (None, [])
    assert answer.seconds > 0


@each(
    "body, failure",
    [
        ("raise ValueError('no')", Failure("ValueError: no", "ext/kit.py:5")),
        ("return 5", Failure("TypeError: it gave int; expected str, Markdown, Html, BODY, or a list of these")),
        ("return Html(chr(0))", Failure("ValueError: it gave a text with the character NUL")),
        ("block.inputs.report(1j, 'a.md'); return ''", None),
    ],
)
def test_function_that_fails_gives_no_value(site: Path, body: str, failure: Failure | None) -> None:
    answer = call(site, DIRECTIVE + body, "directive", BLOCK)
    assert answer.failure is not None
    assert failure in (None, answer.failure)
    assert answer.value == (None if failure else [("markdown", "")])
    assert answer.findings == []


def test_value_of_an_author_that_does_not_fit_is_told_apart(site: Path) -> None:
    answer = call(site, "extension.front_matter('x', int)\n", "field", {"value": "many"})
    assert answer.failure is not None
    assert answer.failure.is_value
    assert answer.value is None
    fitting = call(site, "extension.front_matter('x', int)\n", "field", {"value": "3"})
    assert (fitting.value, fitting.failure) == (3, None)


def test_check_gives_findings_and_no_value(site: Path) -> None:
    source = "@extension.check\ndef c(site):\n    yield Finding('M', 'a.md')\n"
    answer = call(site, source, "check", {"pages": []}, name="c")
    assert answer.value is None
    assert [(one.message, one.path, one.level) for one in answer.findings] == [("M", "a.md", "warn")]


def test_function_that_is_gone_is_lost(site: Path) -> None:
    made = host._Host(site)
    spec = write(site, DIRECTIVE + "return ''")
    made.load(spec)
    for kind, name in (("directive", "other"), ("fence", "x")):
        failure = made.call(Request(spec, kind, name, BLOCK)).failure
        assert failure == Failure("it is gone: the source of the extension has changed meanwhile", is_lost=True)


def test_audited_function_is_called_twice(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = Hook(monkeypatch)
    steady = call(site, DIRECTIVE + "return 'a'", "directive", BLOCK, is_audited=True)
    assert (steady.value, steady.undeclared) == ([("markdown", "a")], [])
    assert len(hook.hooks) == 1
    counting = "n = []\n" + DIRECTIVE + "n.append(1); return str(len(n))"
    changing = call(site, counting, "directive", BLOCK, is_audited=True)
    assert changing.value == [("markdown", "1")]
    assert changing.undeclared == ["It gives something else when it is called again with the same argument."]
    assert call(site, counting, "directive", BLOCK).undeclared == []
    failing = call(
        site, "n = []\n" + DIRECTIVE + "n.append(1); raise ValueError(len(n))", "directive", BLOCK, is_audited=True
    )
    assert failing.failure is not None
    assert failing.failure.message == "ValueError: 1"
    reporting = "n = []\n" + DIRECTIVE + "n.append(1); block.warn(str(len(n))); return ''"
    assert len(call(site, reporting, "directive", BLOCK, is_audited=True).undeclared) == 1
    assert call(site, "extension.front_matter('x', int)\n", "field", {"value": 1}, is_audited=True).undeclared == []


def test_files_of_a_release_are_read_for_its_pages(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "release_folder", lambda page: page.startswith("old/"))
    (site.parent / "named").mkdir()
    for path, text in (("a.txt", "now"), ("b.txt", "now"), ("old.txt", "then"), ("../named/c.txt", "now")):
        (site / path).write_text(text)
    found = {"a.txt": "old.txt", "../named/c.txt": "old.txt", "../secret.txt": "old.txt"}

    class Releases:
        def __init__(self, root: Path) -> None:
            assert root == site

        def find(self, page: str, path: str) -> str | None:
            assert page == "old/a.md"
            return found.get(path)

    monkeypatch.setattr(host, "ReleaseReader", Releases)

    made = host._Host(site)  # `main` needs a process of its own
    spec = write(site, DIRECTIVE + "return block.inputs.read_text(block.text)")
    made.load(spec)

    def read(page: str, path: str) -> Any:
        return made.call(Request(spec, "directive", "x", BLOCK | {"page": page, "text": path}))

    assert read("old/a.md", "a.txt").value == [("markdown", "then")]
    assert read("old/a.md", "a.txt").reads == {"old.txt": content_hash(b"then")}
    assert read("old/a.md", "b.txt").value == read("docs/a.md", "a.txt").value == [("markdown", "now")]
    assert read("old/a.md", "../named/c.txt").value == [("markdown", "then")]
    assert read("old/a.md", "../secret.txt").failure is not None


def test_requests_are_handed_on_until_the_parent_hangs_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[object] = []
    monkeypatch.setattr(host, "end_children", ended.append)
    monkeypatch.setattr(os, "getpgrp", lambda: -1)
    monkeypatch.setattr(os, "_exit", ended.append)
    messages = iter([b"a", b"b", None])
    monkeypatch.setattr(host, "read_message", lambda _: next(messages))
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    host._receive(sys.stdin.buffer, waiting)
    assert [waiting.get_nowait(), waiting.get_nowait()] == [b"a", b"b"]
    assert ended == [os.getpid(), 0]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no groups of processes")
def test_group_of_the_process_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[object] = []
    monkeypatch.setattr(host, "end_children", lambda _: None)
    monkeypatch.setattr(os, "getpgrp", os.getpid)
    monkeypatch.setattr(os, "killpg", lambda pid, number: ended.append((pid, int(number))))
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(host, "read_message", lambda _: None)
    host._receive(sys.stdin.buffer, queue.SimpleQueue())
    assert ended == [(os.getpid(), 9), 0]


def test_copy_of_the_process_ends_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[object] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    host._end_copy(os.getpid())
    assert ended == []
    host._end_copy(os.getpid() + 1)
    assert ended == [0]


# What is not declared


def watch(site: Path, declared: tuple[str, ...] = ()) -> Watch:
    return Watch(site, {os.path.realpath(one) for one in declared}, api.Inputs(site))


@each(
    "event, arguments, sentence",
    [
        ("open", ("{site}/a.txt", "r", 0), 'It reads "a.txt", which is not declared.'),
        ("open", (b"{site}/a.txt", None, 0), 'It reads "a.txt", which is not declared.'),
        ("open", ("{site}/a.txt", "w", 0), 'It writes "a.txt"; functions that make pages write nothing.'),
        ("open", ("{site}/a.txt", "r+", 0), 'It writes "a.txt"; functions that make pages write nothing.'),
        ("open", ("{site}/a.txt", "a", 0), 'It writes "a.txt"; functions that make pages write nothing.'),
        ("open", ("{site}/a.txt", None, os.O_WRONLY), 'It writes "a.txt"; functions that make pages write nothing.'),
        ("open", ("{site}/a.txt", None, os.O_RDWR), 'It writes "a.txt"; functions that make pages write nothing.'),
        ("open", ("/etc/passwd", "r", 0), 'It reads "/etc/passwd", which is not declared.'),
        ("open", ("{site}/named/a.txt", "r", 0), None),
        ("open", ("{site}/named/../named/a.txt", "r", 0), None),
        ("open", ("{site}/named/b.txt", "r", 0), 'It reads "named/b.txt", which is not declared.'),
        ("open", (3, "r", 0), None),
        ("open", (), None),
        ("open", ("{site}/a.pyc", "r", 0), None),
        ("open", ("{site}/a.py", "r", 0), 'It reads "a.py", which is not declared.'),
        ("open", ("/dev/null", "r", 0), None),
        ("open", ("/dev/null", "w", 0), 'It writes "/dev/null"; functions that make pages write nothing.'),
        ("open", (os.__file__, "r", 0), None),
        ("os.listdir", ("{site}",), None),
        ("os.listdir", ("{site}/named",), None),
        (
            "os.scandir",
            ("{site}/nam",),
            'It lists the folder "nam", though inputs of the extension name no file in it.',
        ),
        ("glob.glob", ("{site}/b",), 'It lists the folder "b", though inputs of the extension name no file in it.'),
        ("os.listdir", (3,), None),
        ("os.listdir", (), None),
        ("socket.connect", (object(), ("x.example", 80)), "It asks the network."),
        ("socket.getaddrinfo", ("x.example", 80), "It asks the network (x.example)."),
        ("subprocess.Popen", ("git", ["git"]), "It starts a program (git)."),
        ("os.system", (b"ls",), "It starts a program (b'ls')."),
        ("sqlite3.connect", ("a.db",), "It opens a database (a.db)."),
        ("import", ("x",), None),
    ],
)
def test_what_a_function_does_is_declared_or_found(
    tmp_path: Path, event: str, arguments: tuple[Any, ...], sentence: str | None
) -> None:
    site = tmp_path / "site"
    site.mkdir(exist_ok=True)

    def placed(one: Any) -> Any:
        if isinstance(one, bytes):
            return one.replace(b"{site}", os.fsencode(site))
        return one.replace("{site}", os.fspath(site)) if isinstance(one, str) else one

    found = watch(site, (f"{site}/named/a.txt",))
    found.note(event, tuple(map(placed, arguments)))
    found.note(event, tuple(map(placed, arguments)))
    assert found.found == ([sentence] if sentence else [])


def test_twenty_things_are_enough(site: Path) -> None:
    found = watch(site)
    for number in range(25):
        found.note("open", (f"{site}/{number}", "r", 0))
    assert len(found.found) == 20


def test_what_inputs_read_is_declared_by_that(site: Path) -> None:
    inputs = api.Inputs(site)
    found = Watch(site, (), inputs)
    inputs.is_reading = True
    found.note("os.system", ("ls",))
    assert found.found == []


def test_events_are_noted_within_a_watched_call_only(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = Hook(monkeypatch)
    audit = Audit(site)
    with audit.watching((), api.Inputs(site), is_on=False) as idle:
        hook.say("os.system", "a")
    assert (idle.found, hook.hooks) == ([], [])
    with audit.watching((), api.Inputs(site), is_on=True) as first:
        hook.say("os.system", "b")
        hook.say("os.system", "c")
    hook.say("os.system", "d")
    with audit.watching((), api.Inputs(site), is_on=True) as second:
        hook.say("os.system", "e")
    assert first.found == ["It starts a program (b).", "It starts a program (c)."]
    assert second.found == ["It starts a program (e)."]
    assert len(hook.hooks) == 1


def test_what_noting_an_event_does_is_no_event(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = Hook(monkeypatch)
    original = Watch.note

    def noisy(self: Watch, event: str, arguments: tuple[Any, ...]) -> None:
        hook.say("os.system", "inner")
        original(self, event, arguments)

    monkeypatch.setattr(Watch, "note", noisy)
    with Audit(site).watching((), api.Inputs(site), is_on=True) as found:
        hook.say("os.system", "outer")
    assert found.found == ["It starts a program (outer)."]


# Commands


def test_commands_of_all_extensions_are_found(site: Path) -> None:
    command = "@extension.command('{0}')\ndef c(call):\n    return {1}\n"
    one = write(site, command.format("go", 1) + DIRECTIVE + "return ''", "one")
    two = write(site, command.format("go", 2) + command.format("stop", 3).replace("def c", "def d"), "two")
    commands, failures = find_commands([one, "ext/gone.py", two], site, {"kit": {"a": 1}})
    assert {name: run_command(function, [], site) for name, function in commands.items()} == {
        "go": (1, ""),
        "stop": (3, ""),
    }
    assert failures == [
        'The extension "ext/gone.py" cannot be loaded: FileNotFoundError: there is no file "ext/gone.py".'
    ]
    assert api._options == {"kit": {"a": 1}}


def leave(code: object) -> Callable[[api.Command], object]:
    def function(_: api.Command) -> object:
        raise SystemExit(code)

    return function


def test_command_gets_its_arguments_and_gives_an_exit_code(site: Path) -> None:
    given: list[api.Command] = []
    assert run_command(given.append, ["a", "b"], site / "ext" / "..") == (0, "")
    assert given == [api.Command(("a", "b"), site)]
    assert run_command(leave(3), [], site) == (3, "")
    assert run_command(leave("no"), [], site) == (1, "no")
    assert run_command(leave(None), [], site) == (1, "")
    assert run_command(lambda _: "x", [], site) == (1, "it gave str; expected an exit code, an int, or None")
    assert run_command(lambda _: int("x"), [], site)[0] == 1


def test_command_that_fails_says_where(site: Path) -> None:
    spec = write(site, "@extension.command('go')\ndef go(call):\n    raise ValueError('no')\n")
    commands, _ = find_commands([spec], site, {})
    assert run_command(commands["go"], [], site) == (1, "ValueError: no (ext/kit.py:5)")
