"""What a site knows of its extensions, how it calls them, and what it reports of them. No process is started."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from octavo.config import parse_config
from octavo.content import EXTENSION_INPUTS
from octavo.diagnostics import Diagnostic, Span
from octavo.extending import SiteExtensions
from octavo.extending.process import HostLostError
from octavo.extension_host import Answer, Described, Failure, Function, Reported
from octavo.extensions import hash_bytes
from tests.support.each import each

SETTINGS = 'title = "T"\nextension_timeout_s = 3\nextensions = [\n  "ext/one.py",\n  "ext/two.py",\n]\n'
ALL = ("directive", "fence", "field", "documents", "transform", "check", "after_publish")


class Tables:
    """A cache in memory."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = {}
        self.saved: list[str] = []

    def load_table(self, name: str, type_: object, default: Any) -> Any:
        del type_
        return self.tables.get(name, default)

    def save_table(self, name: str, table: Any) -> None:
        self.tables[name] = table
        self.saved.append(name)


class Host:
    """Gives what it was told to, whatever it is asked for."""

    owner = os.getpid()

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []
        self.seconds: list[float] = []

    def call(self, request: Any, seconds: float) -> Answer:
        self.asked.append(request)
        self.seconds.append(seconds)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """Nothing was started."""


def described(spec: str = "ext/one.py", name: str = "one", kinds: Sequence[str] = ALL, **given: Any) -> Described:
    functions = [Function(kind, f"a-{kind}", line) for line, kind in enumerate(kinds, start=11)]
    return Described(spec, name, spec, functions, **given)


class Load:
    """Loads the extensions of a site."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cache: Any = Tables()
        self.counts = 0
        self._patch = patch
        (root / "octavo.toml").write_text(SETTINGS)

    def __call__(self, *found: Described, host: Host | None = None, is_audited: bool = False) -> SiteExtensions:
        def describe(_: object, specs: Sequence[str]) -> list[Described]:
            assert specs == ["ext/one.py", "ext/two.py"]
            self.counts += 1
            return list(found)

        self._patch.setattr(SiteExtensions, "_describe", describe)
        made = SiteExtensions(self.root, parse_config(SETTINGS), self.cache, is_audited=is_audited)
        given: Any = host
        made._hosts.process = given
        return made


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    root = tmp_path / "site"
    root.mkdir()
    return Load(root, monkeypatch)


def lines(problems: Sequence[Diagnostic]) -> list[str]:
    return [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}".rstrip() for one in problems]


def test_names_are_those_of_what_is_registered(load: Load) -> None:
    one = load(described(), described("ext/two.py", "two", ["check"]))
    assert (one.directives, one.fences, one.fields) == ({"a-directive"}, {"a-fence"}, {"a-field"})
    assert (one.has_transforms, one.has_checks, one.names, one.problems) == (True, True, {"one", "two"}, [])


def test_nothing_is_registered_by_what_registers_nothing(load: Load) -> None:
    one = load(described(kinds=[]))
    assert (one.has_transforms, one.has_checks, one.directives) == (False, False, frozenset())
    assert one.key
    assert load().key  # what was described before is taken over


def test_extension_that_cannot_be_loaded_is_a_finding_and_makes_names_unknown(load: Load) -> None:
    failing = [
        described(failure=Failure("ModuleNotFoundError: No module named 'kiln.fire'", "ext/one.py:3")),
        described("ext/two.py", failure=Failure("it hangs")),
    ]
    one = load(*failing)
    assert lines(one.problems) == [
        (
            'ext/one.py:3:1 error extension: The extension "ext/one.py" cannot be loaded: ModuleNotFoundError: No module named '
            "'kiln.fire' (ext/one.py:3). Install the package that has the module \"kiln\", or correct the import."
        ),
        (
            'octavo.toml:5:1 error extension: The extension "ext/two.py" cannot be loaded: it hangs. Nothing of it is used until it '
            "can be loaded."
        ),
    ]
    assert (one.names, one.key, one.inputs) == (None, "", {})
    # It is loaded again the next time.
    load(*failing)
    assert load.counts == 2


def test_package_that_a_shipped_extension_needs_is_named(load: Load) -> None:
    spec = "octavo.shipped.python_api"
    [problem] = load(described(spec, failure=Failure("ModuleNotFoundError: No module named 'griffe'"))).problems
    assert problem.suggestion == 'Install what it needs: pip install "octavo[python-api]".'


def test_name_that_two_extensions_register_is_a_finding(load: Load) -> None:
    one = load(described(), described("ext/two.py", "one", ["directive", "check"]))
    assert lines(one.problems) == [
        (
            'octavo.toml:5:1 error extension: The extensions "ext/one.py" and "ext/two.py" are both named "one". Give one of them '
            "another name."
        ),
        (
            'ext/two.py:11:1 error extension: The directive "a-directive" is registered by "one" and by "one". That of "one" is '
            "used; rename the other."
        ),
    ]


def test_field_that_is_a_setting_is_a_finding(load: Load) -> None:
    one = load(Described("ext/one.py", "one", "ext/one.py", [Function("field", "title", 4)]))
    assert lines(one.problems) == [
        (
            'ext/one.py:4:1 error extension: The front-matter field "title" of "one" is a setting of Octavo\'s own. The extension '
            "gets no value of it; give it another name."
        )
    ]


def test_what_was_described_is_taken_over_until_a_file_changes(load: Load) -> None:
    module = load.root / "one.py"
    module.write_text("1")
    load(described(modules=[str(module)]))
    assert (load.counts, load.cache.saved) == (1, ["extensions.msgpack"])
    assert load().names == {"one"}
    assert load.counts == 1
    module.write_text("2")
    load(described(modules=[str(module)]))
    assert load.counts == 2
    load.cache.tables.clear()
    load(described(tools={"octavo-none": "1"}))
    load(described(tools={"octavo-none": "1"}))
    assert load.counts == 4


def test_files_and_folders_of_an_extension_are_known(load: Load, tmp_path: Path) -> None:
    outside = tmp_path / "shared"
    outside.mkdir()
    for path in (outside / "a.csv", load.root / "b.csv", load.root / "own.py", tmp_path / "module.py"):
        path.write_text("x")
    one = load(
        described(inputs=["../shared/*.csv", "b.csv"], modules=[str(tmp_path / "module.py"), str(load.root / "own.py")])
    )
    assert one.folders == [tmp_path, outside]
    paths = ("../shared/a.csv", "b.csv", "own.py", "../module.py", "c.csv")
    assert [path for path in paths if one.declares(path)] == ["../shared/a.csv", "b.csv", "own.py", "../module.py"]
    key, inputs = one.key, one.inputs
    assert list(inputs) == [f"{EXTENSION_INPUTS}ext/one.py"]
    (load.root / "b.csv").write_text("y")
    again = load()
    assert again.key == key
    assert again.inputs != inputs
    assert load(is_audited=True).key != key


# Calls

PLACE = Span("docs/a.md", 7, 2)


def test_call_gives_what_the_function_gives(load: Load) -> None:
    host = Host(Answer("value", reads={"a.csv": "h"}, findings=[Reported("m", "", 1, 1, "warn", "s")], seconds=0.5))
    one = load(described(), host=host)
    given = one.call("directive", "a-directive", {"x": 1}, PLACE)
    assert given.value == "value"
    assert given.reads == {"a.csv": "h", **one.inputs}
    assert lines(given.problems) == ["docs/a.md:7:2 warn extension-finding: one: m s"]
    [request] = host.asked
    assert (request.spec, request.kind, request.name) == ("ext/one.py", "directive", "a-directive")
    assert (request.argument, request.is_audited, host.seconds) == ({"x": 1}, False, [3])


@each(
    "reported, line",
    [
        (Reported("m", "x.csv", 4, 5, "error", ""), "x.csv:4:5 error extension-finding: one: m"),
        (Reported("m", "x.csv", 0, -1, "odd", ""), "x.csv:1:1 warn extension-finding: one: m"),
        (Reported("m", "", 9, 9, "warn", ""), "docs/a.md:7:2 warn extension-finding: one: m"),
    ],
)
def test_finding_of_an_extension_has_its_place(load: Load, reported: Reported, line: str) -> None:
    one = load(described(), host=Host(Answer(findings=[reported])))
    assert lines(one.call("directive", "a-directive", {}, PLACE).problems) == [line]


@each(
    "kind, failure, line",
    [
        (
            "directive",
            Failure("ValueError: x", "ext/one.py:3"),
            'error extension: The directive "a-directive" of the extension "one" failed: ValueError: x (ext/one.py:3).',
        ),
        (
            "fence",
            Failure("ValueError: x"),
            'error extension: The fence "a-fence" of the extension "one" failed: ValueError: x (ext/one.py:12).',
        ),
        (
            "directive",
            Failure("expected int", is_value=True),
            (
                'warn extension-finding: Attributes that the directive "a-directive" of the extension "one" takes do not fit: '
                "expected int."
            ),
        ),
        (
            "field",
            Failure("expected int", is_value=True),
            (
                'warn extension-finding: Front matter that the front-matter field "a-field" of the extension "one" takes do not fit: '
                "expected int."
            ),
        ),
    ],
)
def test_failure_of_a_function_is_a_finding(load: Load, kind: str, failure: Failure, line: str) -> None:
    one = load(described(), host=Host(Answer(failure=failure)))
    given = one.call(kind, f"a-{kind}", {}, PLACE)
    assert lines(given.problems) == [f"docs/a.md:7:2 {line}"]
    assert given.reads == one.inputs


def test_function_that_takes_too_long_is_not_called_again(load: Load) -> None:
    host = Host(HostLostError("it took longer than 3 s"))
    one = load(described(), host=host)
    first = one.call("directive", "a-directive", {}, PLACE)
    given: Any = host
    one._hosts.process = given
    second = one.call("directive", "a-directive", {}, PLACE)
    hint = "Let it do less, or raise extension_timeout_s."
    what = 'docs/a.md:7:2 error extension: The directive "a-directive" of the extension "one" failed: it took longer than 3 s'
    assert lines(first.problems) == [f"{what} (ext/one.py:11). {hint}"]
    assert lines(second.problems) == [f"{what}; it is not called again in this build (ext/one.py:11). {hint}"]
    assert len(host.asked) == 1
    # The next build tries again.
    assert first.reads["ext/one.py"] == "never"


def test_what_is_not_declared_is_found_where_it_is_looked_for(load: Load) -> None:
    host = Host(Answer("v", undeclared=["It asks the network."]))
    one = load(described(), host=host, is_audited=True)
    assert lines(one.call("fence", "a-fence", {}, PLACE).problems) == [
        (
            'ext/one.py:12:1 warn extension-input: The fence "a-fence" of the extension "one" is not pure. It asks the network. Read '
            "files by inputs.read_text, or name them in inputs of the extension."
        )
    ]
    assert (host.seconds, host.asked[0].is_audited) == ([6], True)


def test_extension_with_many_inputs_has_more_time(load: Load) -> None:
    for count, seconds in ((24, 3), (25, 6), (50, 9)):
        for number in range(count):
            (load.root / f"{number}.csv").write_text("x")
        load.cache.tables.clear()
        host = Host(Answer())
        load(described(inputs=["*.csv"]), host=host).call("fence", "a-fence", {}, PLACE)
        assert host.seconds == [seconds]


def test_transforms_are_called_one_after_the_other(load: Load) -> None:
    host = Host(Answer("b", reads={"x": "1"}), Answer(failure=Failure("e")), Answer("c", reads={"y": "2"}))
    one = load(
        Described("ext/one.py", "one", "ext/one.py", [Function("transform", "x"), Function("transform", "y")]),
        described("ext/two.py", "two", ["transform"]),
        host=host,
    )
    given = one.transform("docs/a.md", "a", {"f": 1})
    assert given.value == "c"
    assert [request.argument["text"] for request in host.asked] == ["a", "b", "b"]
    assert given.reads == {"x": "1", "y": "2", **one.inputs}
    assert len(given.problems) == 1


def test_checks_and_calls_after_publishing_give_their_findings(load: Load) -> None:
    finding = Reported("m", "", 1, 1, "warn", "")
    host = Host(Answer(findings=[finding]))
    one = load(described(), host=host)
    assert lines(list(one.check([{"route": "/"}]))) == ["ext/one.py:16:1 warn extension-finding: one: m"]
    assert lines(one.after_publish({"out": "o"})) == ["ext/one.py:17:1 warn extension-finding: one: m"]
    assert [request.argument for request in host.asked] == [{"pages": [{"route": "/"}]}, {"out": "o"}]


def test_documents_are_made_again_when_what_they_were_made_of_changes(load: Load) -> None:
    data = load.root / "a.csv"
    data.write_text("x")
    new = {"path": "a.md", "text": "T", "made_from": "", "origins": [(1, "b", 2)]}
    host = Host(Answer([new], reads={"a.csv": hash_bytes(b"x"), "gone.csv": ""}))

    def made(locale: str = "en") -> list[tuple[str, str, tuple[tuple[int, str, int], ...]]]:
        documents, problems = load(described(), host=host).make_documents(locale, "docs")
        assert problems == []
        return [(one.path, one.made_from, one.origins) for one in documents]

    expected = [("a.md", "ext/one.py", ((1, "b", 2),))]
    assert made() == made() == expected
    assert len(host.asked) == 1
    assert host.asked[0].argument == {"locale": "en", "folder": "docs"}
    changes: list[Callable[[], Any]] = [
        lambda: data.write_text("y"),
        lambda: (data.write_text("x"), (load.root / "gone.csv").write_text("z")),
    ]
    for count, change in enumerate(changes, start=2):
        change()
        made()
        assert len(host.asked) == count
    (load.root / "gone.csv").unlink()
    made("de")
    assert host.asked[-1].argument["locale"] == "de"


def test_process_of_another_one_is_left_to_its_owner(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    one = load(described(), host=Host(Answer("mine")))
    inherited: Any = Host(Answer("theirs"))
    inherited.owner = os.getpid() + 1
    one._hosts.process = inherited
    started: list[Any] = []

    def start(_: Path, specs: list[str], memory: int, options: object) -> Any:
        host: Any = Host(Answer("mine"))
        host.next_described = lambda seconds: SimpleNamespace(failure=None, seconds=seconds)
        started.append((specs, memory, options))
        return host

    monkeypatch.setattr("octavo.extending.site_extensions.HostProcess", start)
    assert one.call("fence", "a-fence", {}, PLACE).value == "mine"
    assert one.call("fence", "a-fence", {}, PLACE).value == "mine"
    assert [specs for specs, _, _ in started] == [["ext/one.py"]]
    assert one._hosts.inherited == [inherited]
    one.close()
    assert one._hosts.process is None
