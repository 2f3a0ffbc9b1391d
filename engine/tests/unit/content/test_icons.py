"""Icons of the site and of the built-in set."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from octavo.content.icons import _brands, _built_in, _counterparts, local_name, svg_of
from octavo.content.icons.sanitize import UnsafeIconError, clean_svg
from tests.support.each import each

OWN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" fill="#f00"><title>x</title><path d="M0 0h8" stroke="red"/></svg>'


def compile_text(text: str, files: dict[str, str] | None = None) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"emoji"}))})
    return compile_document(text, source_path="docs/a.md", load=(files or {}).get, options=options)


def test_icons_are_drawn_where_they_are_named() -> None:
    document = compile_text(
        '---\nicon: rocket\n---\n\nA <Icon name="rocket" label="Launch" /> and <Icon name="own" />, :material-rocket: '
        "and :lucide-anchor:.\n",
        {"icons/own.svg": OWN},
    )
    assert document.diagnostics == []
    assert document.icon.startswith('<svg class="icon icon-rocket" viewBox="0 0 24 24" aria-hidden="true"><path')
    assert document.body.count('class="icon icon-rocket"') == 2
    assert 'role="img" aria-label="Launch"' in document.body
    assert 'icon-anchor"' in document.body
    own = '<g fill="currentColor" stroke="none"><path d="M0 0h8" stroke="currentColor"></path></g></svg>'
    assert f'<svg class="icon icon-own icon-own" viewBox="0 0 8 8" aria-hidden="true">{own}' in document.body
    assert document.dependencies["icons/own.svg"]
    assert "icons/rocket.svg" in document.dependencies  # a file of this name would take its place


def test_short_codes_may_touch() -> None:
    document = compile_text("# A\n\n:wrench::bulb: and |:three::two::warning:| but a::bulb: and b:::bulb:.\n")
    assert document.diagnostics == []
    assert "<p>🔧💡 and |3️⃣2️⃣⚠️| but a::bulb: and b:::bulb:.</p>" in document.body


def test_icon_that_is_not_there_is_a_finding() -> None:
    document = compile_text('---\nicon: rokcet\n---\n\n<Icon name="../x" /> <Icon /> :material-nothing-such:\n')
    assert [(one.code, one.span.line, one.message, one.suggestion) for one in document.diagnostics] == [
        ("icon", 5, 'There is no icon "../x".', "Put the file icons/../x.svg into the site's folder."),
        ("icon", 5, '"<Icon>" has no "name".', 'Write <Icon name="rocket" />.'),
        (
            "icon",
            5,
            'The icon ":material-nothing-such:" is left out: it is not in the built-in set.',
            "Put the file icons/nothing-such.svg into the site's folder, or write a word in its place.",
        ),
        ("icon", 2, 'There is no icon "rokcet".', 'Did you mean "rocket"?'),
    ]
    assert document.icon == ""


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ('<path onclick="x()" d="M0"/>', '"onclick"'),
        ('<path style="fill:url(https://x)" d="M0"/>', '"style"'),
        ('<use href="https://x.example/a.svg#b"/>', "<use>"),
        ('<image href="https://x.example/a.png"/>', "<image>"),
        ('<path fill="url(https://x.example/)" d="M0"/>', "the value"),
        ("<foreignObject><p>x</p></foreignObject>", "<foreignObject>"),
        ("<style>*{}</style>", "<style>"),
        ("<defs><script>x</script></defs>", "<defs>"),
        ("<path", "not valid XML"),
    ],
)
def test_unsafe_icon_is_left_out(inner: str, reason: str) -> None:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">{inner}</svg>'
    with pytest.raises(UnsafeIconError, match=reason.replace("(", r"\(")):
        clean_svg(text)
    document = compile_text('<Icon name="own" />\n', {"icons/own.svg": text})
    assert "svg" not in document.body
    assert [one.code for one in document.diagnostics] == ["icon"]


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>',
        "<html/>",
        "<svg/>",
        f'<svg viewBox="0 0 1 1">{" " * 60_000}</svg>',
    ],
)
def test_what_is_no_icon_is_refused(text: str) -> None:
    with pytest.raises(UnsafeIconError):
        clean_svg(text)


def test_names_of_other_sets_are_known() -> None:
    assert local_name("material/rocket-launch") == "rocket-launch"
    assert local_name("octicons-alert-16") == "alert"
    assert local_name("fontawesome/solid/gear") == "gear"
    assert local_name("rocket") == "rocket"


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("material-account-group-outline", "users"),
        ("material-clock-fast", "clock-arrow-up"),
        ("octicons-mail-16", "mail"),
        ("fontawesome-solid-screwdriver-wrench", "wrench"),
        ("octicons-heart-fill-24", "heart"),
        ("material-check-circle-outline", "check-circle"),
    ],
)
def test_icon_of_another_set_is_the_built_in_one_that_shows_the_same(name: str, drawn: str) -> None:
    document = compile_text(f":{name}:\n")
    assert document.diagnostics == []
    assert document.body == compile_text(f":lucide-{drawn}:\n").body.replace(
        f"icon-{drawn}", f"icon-{local_name(name)}"
    )


def test_file_of_the_site_goes_before_an_icon_that_shows_the_same() -> None:
    assert 'viewBox="0 0 8 8"' in compile_text(":material-account:\n", {"icons/account.svg": OWN}).body


def test_counterparts_are_built_in_and_do_not_hide_an_icon() -> None:
    assert len(_counterparts()) > 700
    assert {name for name in _counterparts().values() if name not in _built_in()} == set()
    assert _counterparts().keys() & _built_in().keys() == set()


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("simple-github", "github"),
        ("octicons-mark-github-16", "github"),
        ("fontawesome-brands-x-twitter", "x-twitter"),
        ("material-language-python", "python"),
        ("fontawesome-brands-node-js", "nodedotjs"),
        ("material-microsoft-windows", "windows"),
    ],
)
def test_marks_of_companies_and_projects_are_drawn(name: str, mark: str) -> None:
    document = compile_text(f":{name}:\n")
    assert document.diagnostics == []
    shape = compile_text(f":simple-{mark}:\n").body.partition("<g ")[2]
    assert shape.startswith('fill="currentColor" stroke="none"><path d="M')
    assert document.body.partition("<g ")[2] == shape


def test_names_of_iconify_have_a_colon() -> None:
    document = compile_text("---\nicon: ph:moon-duotone\n---\n\nText\n")
    assert document.diagnostics == []
    assert "icon-moon-duotone" in document.icon
    assert local_name("simple-icons:github") == "github"
    for name, own in (("i-lucide-compass", "compass"), ("i-simple-icons-github", "github"), ("i-skill-icons-vue-dark", "vue-dark")):  # fmt: skip
        assert local_name(name) == own
        assert svg_of(own, {}.get)
    assert local_name("i-beam") == "i-beam"


def test_number_of_an_icon_in_another_set_says_nothing() -> None:
    for name, own in (("ri:settings-3-line", "settings"), ("ri:database-2-line", "database")):
        drawn = svg_of(local_name(name), {}.get)
        assert drawn is not None
        assert drawn.partition(">")[2] == (svg_of(own, {}.get) or "").partition(">")[2]
    assert svg_of("nothing-3", {}.get) is None


def test_marks_hide_no_icon_of_the_built_in_set() -> None:
    assert "icon-own" not in str(svg_of("signal", lambda _: None))
    assert len(_brands()) > 300


@each(
    ("name", "own"),
    [
        ("rocket_launch", "rocket"),
        ("smart_toy", "bot"),
        ("material-symbols-light:input", "log-in"),
        ("account_circle", "circle-user"),
        ("menu_book", "book-open"),
    ],
)
def test_icons_of_material_symbols_have_counterparts(name: str, own: str) -> None:
    svg = svg_of(local_name(name), {}.get)
    assert svg is not None
    assert _built_in()[own] in svg
