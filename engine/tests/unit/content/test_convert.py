"""Pages of other engines written in our syntax: edits at the places that the scanner reports, and nothing else."""

from __future__ import annotations

import msgspec
import pytest

from octavo.content import ContentOptions, Converted, Dialect, convert_page
from octavo.content.compile import compile_document
from tests.support.each import each

from .cases import FIXTURES, Case, load_cases

_CASES = [
    pytest.param(case, id=f"{path.stem}: {case.title}")
    for path in sorted(FIXTURES.glob("*.md"))
    for case in load_cases(path)
]
MKDOCS = ("abbr", "admonitions", "attr_list", "blocks", "caret", "details", "emoji", "keys", "mark", "tabs", "tilde")


def convert(text: str, *extensions: str, path: str = "docs/page.md") -> Converted:
    return convert_page(text, path, lambda _: None, options_of(*extensions))


def options_of(*extensions: str) -> ContentOptions:
    return ContentOptions(folders={"": Dialect(extensions=frozenset(extensions))})


@pytest.mark.costly
@each("case", _CASES)
def test_converted_page_says_the_same_and_is_not_changed_again(case: Case) -> None:
    done = convert_page(case.source, case.path, case.load, case.options)
    assert done.is_same
    dialect = msgspec.structs.replace(case.options.dialect_of(case.path), extensions=done.kept)
    again = convert_page(
        done.text, case.path, case.load, msgspec.structs.replace(case.options, files={case.path: dialect})
    )
    assert again.text == done.text


@pytest.mark.parametrize(
    ("extensions", "before", "after"),
    [
        (MKDOCS, '!!! note "My *own*"\n    One.\n\n    Two.\nAfter.\n', ":::note[My *own*]\nOne.\n\nTwo.\n:::\nAfter.\n"),
        (MKDOCS, "!!! abstract\n    One.\n", ":::info[Abstract]\nOne.\n:::\n"),
        (MKDOCS, "- a\n\n    !!! tip\n        One.\n\n- b\n", "- a\n\n    :::tip\n    One.\n    :::\n\n- b\n"),
        (MKDOCS, "> !!! tip\n>     One.\n", "> :::tip\n> One.\n> :::\n"),
        (MKDOCS, "!!! note\n    One.\n\n        code\n", ":::note\nOne.\n\n```\ncode\n```\n:::\n"),
        (MKDOCS, "!!! note\n\t```sh\n\tls\n\t```\n", ":::note\n```sh\nls\n```\n:::\n"),
        (
            MKDOCS,
            '??? tip "More ==now=="\n    One.\n\n    ???+ note\n        Two.\n',
            '<details class="details-tip">\n<summary>More <mark>now</mark></summary>\n\nOne.\n\n<details class="details-note" open>\n<summary>Note</summary>\n\nTwo.\n\n</details>\n\n</details>\n',
        ),
        (
            MKDOCS,
            '=== "A"\n\n    One.\n\n=== "B"\n\n    Two.\n\n## H\n',
            '<Tabs>\n<TabItem value="A" label="A">\n\nOne.\n\n</TabItem>\n\n<TabItem value="B" label="B">\n\nTwo.\n\n</TabItem>\n</Tabs>\n\n## H\n',
        ),
        (MKDOCS, "## Own { #own }\n\n### Two ## {: #two }\n", "## Own {#own}\n\n### Two {#two}\n"),
        (MKDOCS, "++ctrl+c++ ==x== ^^y^^ a^2^ H~2~O :smile:\n", "<kbd>Ctrl</kbd>+<kbd>C</kbd> <mark>x</mark> <ins>y</ins> a<sup>2</sup> H<sub>2</sub>O 😄\n"),
        (MKDOCS, " !!! note\n    One.\n\n    Two.\n\nThree.\n", None),
        (MKDOCS, ' ??? tip "T"\n    One.\n\n        Code.\n', None),
        (MKDOCS, '  === "A"\n    One.\n\n  === "B"\n    Two.\n', None),
        (MKDOCS, "  !!! note\n      One.\n      - a\n", None),
        (MKDOCS, "/// note | Title\nOne.\n///\n", ":::note[Title]\nOne.\n:::\n"),
        (("starlight",), '<Aside type="tip" title="T">\nOne.\n</Aside>\n', ":::tip[T]\nOne.\n:::\n"),
        (("starlight",), "<Aside>One.</Aside>\n", ":::note\n\nOne.\n\n:::\n"),
        (("myst",), "```{note}\nOne.\n```\n", ":::note\n\nOne.\n:::\n"),
        (("hugo",), '{{< tabpane >}}{{< tab "A" >}}One.{{< /tab >}}{{< /tabpane >}}\n', None),
        (("gitbook",), '{% hint style="info" %}\nOne.\n{% endhint %}\n', None),
        ((), "---\nnav_order: 2\nsidebar:\n  label: Hi\n---\nA\n", "---\nsidebar_position: 2\nsidebar_label: Hi\n---\nA\n"),
        ((), "---\neditUrl: false\nweight: 0\n---\nA\n", "---\neditUrl: false\nweight: 0\n---\nA\n"),
    ],
)  # fmt: skip
def test_syntax_of_other_engines_becomes_ours(extensions: tuple[str, ...], before: str, after: str | None) -> None:
    done = convert(before, *extensions)
    if after is not None:
        assert done.text == after
    assert done.is_same
    assert not done.kept
    assert compiled(before, *extensions) == compiled(done.text)


def test_body_may_count_its_indentation_from_the_margin() -> None:
    for opening in (" ", "   "):
        found = compiled(f"{opening}!!! note\n    *One.*\n\n    Two.\n\nThree.\n", *MKDOCS)
        assert found == compiled("!!! note\n    *One.*\n\n    Two.\n\nThree.\n", *MKDOCS)
    within = compiled("- One.\n\n  !!! note\n    Two.\n", *MKDOCS)
    assert "<p>Two.</p></div></div>" not in within  # in a list it counts from the item


def compiled(text: str, *extensions: str) -> str:
    found = compile_document(text, source_path="docs/page.md", load=lambda _: None, options=options_of(*extensions))
    return found.body + "".join(child for island in found.islands for child in island.children)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("[Text](https://a.example){ .wide }\n\n*[HTML]: Markup\n", {"abbr", "attr_list"}),
        ('!!! note ""\n    One.\n', {"admonitions"}),
        (":material-unheard-of:\n", {"emoji"}),
        ("/// html | div.wide\nOne.\n///\n", {"blocks"}),
    ],
)
def test_syntax_without_a_form_of_ours_stays_and_keeps_its_extension(text: str, kept: set[str]) -> None:
    done = convert(text, *MKDOCS)
    assert (done.text, done.kept) == (text, kept)


def test_titles_keep_the_short_codes_of_which_their_ids_are_made() -> None:
    text = "# A\n\n## :rocket: Fly\n\n:rocket:\n"
    dialect = Dialect(extensions=frozenset({"emoji"}), slugs="kramdown")
    found = convert_page(text, "a.md", lambda _: None, ContentOptions(folders={"": dialect}))
    assert (found.text, found.is_same) == ("# A\n\n## :rocket: Fly\n\n\U0001f680\n", True)


def test_what_is_not_converted_stays_byte_by_byte() -> None:
    text = "\ufeff# A\r\n\r\n*a*  \r\n* b\t\r\n\r\n```\r\n!!! note\r\n    One.\r\n```\r\n"
    assert convert(text, *MKDOCS).text == text
    assert convert("# A\r\n\r\n==b==\r\n", *MKDOCS).text == "# A\r\n\r\n<mark>b</mark>\r\n"


def test_imports_that_pages_do_without_are_left_out() -> None:
    text = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\nimport Part from './_part.mdx';\n\n<Part />\n"
    done = convert_page(text, "docs/a.mdx", {"docs/_part.mdx": "One."}.get, ContentOptions())
    assert (done.text, done.is_same) == ("import Part from './_part.mdx';\n\n<Part />\n", True)
    assert done.files == ["docs/_part.mdx"]
