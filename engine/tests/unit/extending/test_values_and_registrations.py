"""What extensions register, what their functions get and give, and which files they may read. No process is started."""

from __future__ import annotations

import io
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo import extensions as api
from octavo.extension_host.protocol import Answer, read_message, write_message
from octavo.extension_host.registrations import lost_registration, registration_mistake
from octavo.extension_host.values import (
    UnfitValueError,
    check_sendable,
    fit,
    make_argument,
    plain_value,
    take_findings,
)
from tests.support.each import each


@dataclass
class Choice:
    size: int = 1
    color: str = "red"


@dataclass(frozen=True)
class Choices:
    first: Choice
    more: list[Choice] = field(default_factory=list)
    named: dict[str, Choice] = field(default_factory=dict)


class Strange:
    def __init__(self, given: int) -> None:
        self.given = given


# What functions get

BLOCK = {"name": "x", "text": "T", "page": "a.md", "line": 3, "fields": {"y": 1}}


def registered(kind: str, type_: Any = dict, name: str = "x") -> api.Registered:
    return api.Registered(kind, name, lambda one: one, type_)


def test_directive_has_its_attributes_as_the_registered_type() -> None:
    inputs = api.Inputs(Path("site"))
    given = {**BLOCK, "label": "L", "attributes": {"size": "2"}}
    made = make_argument(registered("directive", Choice), given, inputs)
    assert made == api.Directive("x", Choice(2), "T", "a.md", 3, inputs, {"y": 1}, "L")
    plain = make_argument(registered("fence"), {**BLOCK, "info": "I", "attributes": {"size": "2"}}, inputs)
    assert plain == api.Fence("x", {"size": "2"}, "T", "a.md", 3, inputs, {"y": 1}, "I")
    assert inputs.findings == []


@each(
    "name, suggestion",
    [("colour", 'Did you mean "color"?'), ("weight", 'It takes "size", "color".')],
)
def test_attribute_that_the_type_does_not_have_is_a_finding(name: str, suggestion: str) -> None:
    inputs = api.Inputs(Path("site"))
    make_argument(registered("directive", Choice), {**BLOCK, "attributes": {name: "1", "size": "1"}}, inputs)
    [found] = inputs.findings
    assert (found.message, found.suggestion) == (f'The directive "x" takes no "{name}".', suggestion)


def test_value_that_does_not_fit_is_a_mistake_of_the_author() -> None:
    inputs = api.Inputs(Path("site"))
    with pytest.raises(UnfitValueError):
        make_argument(registered("fence", Choice), {**BLOCK, "attributes": {"size": "many"}}, inputs)
    with pytest.raises(UnfitValueError):
        make_argument(registered("field", int), {"value": [1]}, inputs)
    assert make_argument(registered("field", int), {"value": "3"}, inputs) == 3
    assert make_argument(registered("field", Choice), {"value": {"size": 2, "colr": "x"}}, inputs) == {
        "size": 2,
        "color": "red",
    }
    assert inputs.findings[0].message == 'The front-matter field "x" takes no "colr".'


def test_field_has_the_defaults_of_its_type() -> None:
    given = {"first": {}, "more": [{"size": 2}], "named": {"a": {"color": "blue"}}}
    assert make_argument(registered("field", Choices), {"value": given}, api.Inputs(Path("site"))) == {
        "first": {"size": 1, "color": "red"},
        "more": [{"size": 2, "color": "red"}],
        "named": {"a": {"size": 1, "color": "blue"}},
    }


def test_other_functions_get_what_they_work_on() -> None:
    inputs = api.Inputs(Path("site"))
    heading = {"level": 2, "text": "H", "anchor": "h"}
    page = {
        **dict.fromkeys(("route", "path", "title", "description", "locale", "version"), "x"),
        "tags": ["t"],
        "headings": [heading],
        "links": [],
        "fields": {},
    }
    site = make_argument(registered("check"), {"pages": [page]}, inputs)
    assert site.inputs is inputs
    assert site.pages[0].headings == [api.Heading(2, "H", "h")]
    documents = make_argument(registered("documents"), {"locale": "en", "folder": "docs"}, inputs)
    assert documents == api.Documents(inputs, "en", "docs")
    source = make_argument(registered("transform"), {"path": "a.md", "text": "T", "fields": {}}, inputs)
    assert source == api.SourceText("a.md", "T", inputs, {})
    given = {"out": "o", "site_dir": "s", "build_id": "b", "url": "u", "routes": ["/"]}
    published = make_argument(registered("after_publish"), given, inputs)
    assert published == api.Published(Path("o"), Path("s"), "b", "u", ["/"])


# What functions give


@each(
    "value, parts",
    [
        ("a", [("markdown", "a")]),
        (api.Markdown("a"), [("markdown", "a")]),
        (api.Html("a"), [("html", "a")]),
        (["a", api.BODY, api.Html("b")], [("markdown", "a"), ("body", ""), ("html", "b")]),
        ((), []),
    ],
)
def test_directive_gives_parts(value: Any, parts: list[tuple[str, str]]) -> None:
    assert plain_value("directive", value) == plain_value("fence", value) == parts


@each(
    "kind, value, message",
    [
        ("directive", None, "it gave NoneType; expected str, Markdown, Html, BODY, or a list of these"),
        ("directive", {"a": 1}, "it gave dict; expected str"),
        ("directive", b"a", "it gave bytes; expected str"),
        ("directive", [1], "it gave int; expected str"),
        ("directive", api.Markdown(1), "it gave int; expected Markdown of a str"),  # type: ignore[arg-type]  # a wrong type on purpose
        ("fence", api.Html(None), "it gave NoneType; expected Html of a str"),  # type: ignore[arg-type]  # a wrong type on purpose
        ("transform", None, "it gave NoneType; expected str"),
        ("documents", "a", "it gave str; expected a list of NewDocument"),
        ("documents", 1, "it gave int; expected a list of NewDocument"),
        ("documents", ["a"], "it gave a list with str; expected a list of NewDocument"),
        ("documents", [api.NewDocument("a.md", 1)], "it gave a NewDocument with a wrong value"),  # type: ignore[arg-type]  # a wrong type on purpose
    ],
)
def test_value_of_another_kind_is_named(kind: str, value: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        plain_value(kind, value)
    assert str(caught.value).startswith(message)


def test_documents_are_given_with_their_origins_in_order() -> None:
    made = api.NewDocument("a.md", "T", made_from="x", origins={5: ("b", 2), 1: ("a", 1)})
    assert plain_value("documents", iter([made])) == [
        {"path": "a.md", "text": "T", "made_from": "x", "origins": [(1, "a", 1), (5, "b", 2)]}
    ]
    assert plain_value("documents", None) == []
    assert plain_value("transform", "text") == "text"
    assert plain_value("check", "anything") is None


def test_findings_that_a_check_gave_before_it_failed_are_kept() -> None:
    inputs = api.Inputs(Path("site"))
    good = api.Finding("m", "a.md")
    with pytest.raises(TypeError, match="it gave a list with str; expected a list of Finding"):
        take_findings([good, "bad"], inputs)
    assert inputs.findings == [good]
    take_findings(None, inputs)
    with pytest.raises(TypeError, match="it gave Finding; expected a list of Finding"):
        take_findings(good, inputs)


@each("message, is_right", [("m", True), (" ", False), (1, False)])
def test_finding_has_a_message(message: Any, is_right: bool) -> None:
    finding = api.Finding(message, "a.md", line=2)
    if is_right:
        assert fit(finding)["line"] == 2
    else:
        with pytest.raises(TypeError, match="it gave a Finding with"):
            fit(finding)


@each(
    "value, message",
    [
        (["a", {"b": ("c",)}, 1, None], None),
        ("\ud800", "it gave a text that is not Unicode"),
        (object(), "it gave a value that cannot be sent"),
        (1 << 70, "it gave a value that cannot be sent"),
        ("a\0", "it gave a text with the character NUL"),
        ([{"a": ["\0"]}], "it gave a text with the character NUL"),
        ({"\0": 1}, "it gave a text with the character NUL"),
        (("a", "\0"), "it gave a text with the character NUL"),
    ],
)
def test_value_that_cannot_be_sent_is_named(value: Any, message: str | None) -> None:
    if message is None:
        check_sendable(value)
    else:
        with pytest.raises(ValueError, match=message):
            check_sendable(value)


def test_messages_are_read_as_they_were_sent() -> None:
    stream = io.BytesIO()
    answer = Answer("x", seconds=1.5)
    write_message(stream, answer)
    write_message(stream, "é")
    data = stream.getvalue()
    stream.seek(0)
    first = read_message(stream)
    assert first is not None
    assert msgspec.msgpack.decode(first, type=Answer) == answer
    assert read_message(stream) == msgspec.msgpack.encode("é")
    assert read_message(stream) is None
    for cut in (2, 4, len(data) - 4):
        assert [read_message(one) for one in [io.BytesIO(data[:cut])]] == ([None] if cut < 5 else [first])


# What is registered


async def late(_: Any) -> str:
    return ""


async def late_parts(_: Any) -> Any:
    yield ""


@each(
    "one, mistake",
    [
        (registered("directive"), None),
        (registered("directive", Choice), None),
        (registered("directive", Any), None),
        (api.Registered("field", "x", None, int), None),
        (api.Registered("check", "x", len), None),
        (api.Registered("check", "x", dict.fromkeys), None),
        (registered("directive", int), 'the directive "x" has the type int; expected a dataclass'),
        (registered("fence", Strange), 'the fence "x" has the type Strange; expected a dataclass'),
        (
            api.Registered("field", "x", None, Strange),
            'the front-matter field "x" has the type Strange; expected a type of msgspec\'s',
        ),
        (registered("directive", 3), 'the directive "x" has a type that texts cannot be converted to'),
        (
            api.Registered("documents", "x", 3),  # type: ignore[arg-type]  # a wrong type on purpose
            'the documents function "x" is of type int; expected a function that takes a Documents',
        ),
        (api.Registered("check", "x", late), 'the check "x" is an async function'),
        (api.Registered("check", "x", late_parts), 'the check "x" is an async function'),
        (
            api.Registered("after_publish", "x", lambda: None),
            'the function after publishing "x" is called with one argument, a Published; its function takes ()',
        ),
        (api.Registered("command", "x", lambda one, two: (one, two)), 'the command "x" is called with one argument'),
        (api.Registered("transform", "x", lambda one, two=1: (one, two)), None),
    ],
)
def test_what_could_never_work_is_named(one: api.Registered, mistake: str | None) -> None:
    found = registration_mistake(one)
    assert (found is None) is (mistake is None)
    assert mistake is None or (found is not None and found.startswith(mistake))


def test_functions_of_another_extension_are_named_with_their_line() -> None:
    module = types.ModuleType("mine")
    used, other, foreign = (api.Extension(name) for name in ("used", "other", "foreign"))

    def check(_: Any) -> None: ...

    check.__module__ = "mine"
    used.check(check)
    assert lost_registration(module, used) is None
    vars(module).update(extension=used, foreign=foreign)
    foreign.check(len)
    assert lost_registration(module, used) is None
    vars(module).update(second=other)
    other.check(check)
    found = lost_registration(module, used)
    assert found is not None
    assert found[0].startswith('the check "check" is registered with second, and only')
    assert found[1] == check.__code__.co_firstlineno


@each(
    "register, message",
    [
        (lambda one: one.directive("1a"), '"1a" cannot be the name of a directive'),
        (lambda one: one.fence("a b"), '"a b" cannot be the name of a fence'),
        (lambda one: one.command(""), '"" cannot be the name of a command'),
        (lambda one: one.directive("é-1.x+y"), None),
        (lambda one: (one.directive("a"), one.fence("a")), None),
        (
            lambda one: one.directive("twice")(len) and one.directive("twice"),
            'the directive "twice" is registered twice',
        ),
        (lambda one: one.directive(len), 'a directive needs a name; write @extension.directive("name")'),
        (lambda one: one.check("name"), "@extension.check takes no name"),
        (lambda one: one.check(), "@extension.check is written above the function without parentheses"),
    ],
)
def test_registration_that_cannot_be_is_refused(register: Callable[[Any], Any], message: str | None) -> None:
    extension = api.Extension("e")

    def run() -> None:
        found = register(extension)
        for one in found if isinstance(found, tuple) else (found,):
            one(len)

    if message is None:
        run()
        assert extension.registered[-1].function is len
    else:
        with pytest.raises((TypeError, ValueError)) as caught:
            run()
        assert str(caught.value).startswith(message)


def test_field_is_registered_with_its_line_and_type() -> None:
    extension = api.Extension("e", inputs=["a"])
    extension.front_matter("level", int)
    [one] = extension.registered
    assert (one.kind, one.name, one.function, one.type) == ("field", "level", None, int)
    assert one.line == test_field_is_registered_with_its_line_and_type.__code__.co_firstlineno + 2
    assert (extension.inputs, extension.api) == (("a",), 1)
    for name, inputs in ((1, ()), ("e", "a"), ("e", [1])):
        with pytest.raises(TypeError):
            api.Extension(name, inputs=inputs)  # type: ignore[arg-type]  # a wrong type on purpose


# Files


@pytest.fixture
def inputs(tmp_path: Path) -> api.Inputs:
    for name in ("site/a.txt", "shared/b.txt", "shared/deep/c.txt", "secret.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"\ufeff{name}")
    return api.Inputs(tmp_path / "site", ["../shared/**/*.txt", "*.txt", "../shared"])


def test_files_of_the_site_are_read_and_noted(inputs: api.Inputs) -> None:
    assert inputs.read_text("a.txt") == "site/a.txt"
    assert inputs.reads == {"a.txt": api.hash_bytes(b"\xef\xbb\xbfsite/a.txt")}
    assert inputs.exists("a.txt")
    assert not inputs.exists("gone.txt")
    assert inputs.reads["gone.txt"] == ""
    assert not inputs.is_reading


def test_files_outside_of_the_site_are_read_where_they_are_declared(inputs: api.Inputs) -> None:
    assert inputs.read_text("../shared/deep/c.txt") == "shared/deep/c.txt"
    with pytest.raises(PermissionError, match="lies outside the site's folder"):
        inputs.read_text("../secret.txt")
    with pytest.raises(FileNotFoundError, match=r'there is no file "\.\./gone\.txt"'):
        inputs.read_text("../gone.txt")
    assert inputs.reads == {}
    root = inputs.site_dir
    assert inputs.declared() == [root / "../shared/b.txt", root / "../shared/deep/c.txt", root / "a.txt"]
    assert not inputs.is_reading


def test_reports_are_findings(inputs: api.Inputs) -> None:
    inputs.report("m", "a.md", 2, column=3, level="error", suggestion="s")
    block: api.Directive[Any] = api.Directive("x", {}, "", "b.md", 4, inputs)
    block.warn("n", suggestion="t")
    assert inputs.findings == [
        api.Finding("m", "a.md", line=2, column=3, level="error", suggestion="s"),
        api.Finding("n", "b.md", line=4, suggestion="t"),
    ]
