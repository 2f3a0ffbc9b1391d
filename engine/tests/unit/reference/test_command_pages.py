"""The page of a command: its Markdown, and the document that is made of it."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.content import ContentOptions, TextChunk
from octavo.diagnostics import Span
from octavo.reference.command_line import (
    Argument,
    Command,
    CommandPage,
    CommandTree,
    Option,
    compile_command,
    make_command_page,
)
from octavo.reference.command_line.page import write_markdown
from octavo.words import words_of
from tests.support.each import each

SPAN = Span("commands.yaml", 3, 5)
POT = Command(name="pot", synopsis="Make things of clay")
FIRE = Command(
    name="pot fire",
    synopsis="Harden what has `dried`",
    description="Heats <it>.\n",
    usage="pot fire [flags] PIECE",
    aliases=["bake"],
    arguments=[Argument(name="PIECE", usage="what to harden"), Argument(name="SHELF", required=False)],
    options=[
        Option(name="heat", shorthand="H", type="int", default_value=900, usage="Degrees, of the `kiln | oven`"),
        Option(name="glaze", type="strings", default_value="[]", usage="Colors!", allowed=["red", "blue"], required=True),
        Option(name="q", deprecated="Use `--quiet`."),
    ],
    inherited_options=[
        Option(name="verbose", shorthand="v", type="bool", default_value="false", usage="Say more"),
        Option(name="heat", usage="Of all"),
    ],
    notes=["Wait for\nan hour.", ":::warning\nHot\n:::", "Then look."],
    example="  pot fire cup\n",
    output="$ pot fire cup\nFired <1> cup\n",
    see_also=["pot\t - Make things of clay", "pot dry - Another text", "pot dry later", "[Clay](/clay)", "pot fire"],
)  # fmt: skip
PROGRAM = CommandTree.of(
    [
        Command(name="potter", synopsis="Who makes them"),
        Command(name="pot fire slowly"),
        FIRE,
        Command(name="pot fire once more", synopsis="For hours"),
        Command(name="pot dry later"),
        Command(name="pot dry", synopsis="Dry it."),
        POT,
    ]
)


NO_OTHERS = CommandTree({})


def page_of(command: Command, program: CommandTree = PROGRAM, **more: Any) -> CommandPage:
    return msgspec.structs.replace(make_command_page(command, SPAN, program, "docs/cli"), **more)


def written(command: Command, program: CommandTree = NO_OTHERS, *, has_anchors: bool = False, **more: Any) -> str:
    """Write a page without its front matter."""
    text = write_markdown(page_of(command, program, **more), words_of("en"), has_anchors=has_anchors)
    return text.partition("\n---\n")[2].lstrip("\n")


def test_page_knows_the_commands_around_its_own() -> None:
    page = page_of(FIRE)
    assert (page.command, page.span, page.path) == (FIRE, SPAN, "docs/cli/pot_fire.md")
    assert (page.parent, page.parent_synopsis) == ("pot", "Make things of clay")
    assert page.children == {"pot fire once more": "For hours", "pot fire slowly": ""}
    assert page.related == {
        "pot": "Make things of clay",
        "pot dry": "Dry it.",
        "pot dry later": "",
        "pot fire": "Harden what has `dried`",
    }


def test_parent_is_the_nearest_command_above() -> None:
    assert [PROGRAM.parent(name) for name in ("pot", "pot fire", "pot fire once more", "pot dry later", "kiln x")] == [
        None,
        "pot",
        "pot fire",
        "pot dry",
        None,
    ]
    assert PROGRAM.children("pot") == ["pot dry", "pot fire"]
    assert PROGRAM.children("potter") == []


def test_first_command_has_no_parent() -> None:
    page = page_of(POT)
    assert (page.parent, page.parent_synopsis) == (None, "")
    assert "See also" not in written(POT, PROGRAM)


def test_page_of_a_command_says_all_of_it() -> None:
    page = page_of(
        FIRE,
        since="2",
        changed="4",
        option_since={"--glaze": "3", "SHELF": "3"},
        option_changed={"--heat": "4", "PIECE": "4"},
        removed={"--old": "4", "CLAY": "3"},
    )
    assert write_markdown(page, words_of("en"), has_anchors=True) == WHOLE_PAGE


WHOLE_PAGE = """\
---
{"title": "pot fire", "description": "Harden what has dried"}
---

Heats \\<it>.

*Since 2.*

*Changed in 4*

## Usage {#usage}

```text
pot fire [flags] PIECE
```

Alias: `pot bake`

## Arguments {#arguments}

| Argument | Meaning |
| --- | --- |
| `PIECE` | what to harden. *Changed in 4* |
| `SHELF` | Optional. *Since 3.* |

## Options {#options}

| Option | Meaning |
| --- | --- |
| <a class="option" id="option-heat" href="#option-heat">`--heat`, `-H`</a> *int* | Degrees, of the `kiln \\| oven`. Default: `900`. *Changed in 4* |
| <a class="option" id="option-glaze" href="#option-glaze">`--glaze`</a> *strings* | Colors! One of `red`, `blue`. *Since 3.* Required. |
| <a class="option" id="option-q" href="#option-q">`-q`</a> | **Deprecated.** Use `--quiet`. |

`--old` *Removed in 4*

`CLAY` *Removed in 3*

## Inherited options {#inherited-options}

| Option | Meaning |
| --- | --- |
| <a class="option" id="option-verbose" href="#option-verbose">`--verbose`, `-v`</a> | Say more. |

## Notes {#notes}

- Wait for
  an hour.
- Then look.

:::warning
Hot
:::

## Examples {#examples}

```bash
pot fire cup
```

## Sample output {#sample-output}

Ids, ports, times, and paths differ from machine to machine.

```console
$ pot fire cup
Fired <1> cup
```

## Subcommands {#subcommands}

| Command | What it does |
| --- | --- |
| [`pot fire once more`](/docs/cli/pot_fire_once_more.md) | For hours |
| [`pot fire slowly`](/docs/cli/pot_fire_slowly.md) | – |

## See also {#see-also}

- [`pot`](/docs/cli/pot.md): Make things of clay
- [`pot dry`](/docs/cli/pot_dry.md): Dry it.
- [`pot dry later`](/docs/cli/pot_dry_later.md)
- [Clay](/clay)
"""  # fmt: skip


@each(
    "command, expected",
    [
        (Command(name="a"), ""),
        (Command(name="a", synopsis="One *mark*", description=" \n"), "One \\*mark\\*\n"),
        (Command(name="a b", aliases=["c", "d"]), "Aliases: `a c`, `a d`\n"),
        (Command(name="a", aliases=["c"]), "Alias: `c`\n"),
        (Command(name="a", example=" \n", output="\n"), ""),
        (Command(name="a", notes=[":::tip\nA\n:::"]), "## Notes {#notes}\n\n:::tip\nA\n:::\n"),
        (Command(name="a", see_also=["a", "b"]), "## See also {#see-also}\n\n- b\n"),
    ],
)
def test_parts_that_say_nothing_are_left_out(command: Command, expected: str) -> None:
    assert written(command) == expected


@each(
    "argument, row",
    [
        (Argument(name="A"), "| `A` | – |"),
        (Argument(name="A", required=False), "| `A` | Optional. – |"),
        (Argument(name="A", usage="It."), "| `A` | It. |"),
        (Argument(name="A", usage="a|b", required=False), "| `A` | Optional. a\\|b |"),
    ],
)
def test_row_of_an_argument(argument: Argument, row: str) -> None:
    text = written(Command(name="x", arguments=[argument]))
    assert text == f"## Arguments {{#arguments}}\n\n| Argument | Meaning |\n| --- | --- |\n{row}\n"


def test_argument_without_a_meaning_is_marked_with_its_versions() -> None:
    command = Command(name="x", arguments=[Argument(name="A"), Argument(name="B", usage="Why?")])
    text = written(command, option_since={"A": "2", "B": "3"}, option_changed={"A": "4", "B": "5"})
    assert text.splitlines()[4:] == [
        "| `A` | *Since 2.* *Changed in 4* |",
        "| `B` | Why? *Since 3.* *Changed in 5* |",
    ]


@each(
    "option, row",
    [
        (Option(name="a"), "| `-a` | – |"),
        (Option(name="ab", type="bool"), "| `--ab` | – |"),
        (Option(name="ab", type="int"), "| `--ab` *int* | – |"),
        (Option(name="ab", default_value=False), "| `--ab` | – |"),
        (Option(name="ab", default_value=True), "| `--ab` | Default: `true`. |"),
        (Option(name="ab", default_value=None), "| `--ab` | – |"),
        (Option(name="ab", default_value=0), "| `--ab` | Default: `0`. |"),
        (Option(name="ab", default_value=["a", "b"]), "| `--ab` | Default: `a,b`. |"),
        (Option(name="ab", default_value="[a,b]"), "| `--ab` | Default: `a,b`. |"),
        (Option(name="ab", default_value="[a"), "| `--ab` | Default: `[a`. |"),
        (Option(name="ab", default_value="a]"), "| `--ab` | Default: `a]`. |"),
        (Option(name="ab", usage="One…"), "| `--ab` | One… |"),
        (Option(name="ab", usage="One?", required=True), "| `--ab` | One? Required. |"),
        (Option(name="ab", allowed=["a|b"]), "| `--ab` | One of `a\\|b`. |"),
        (Option(name="ab", shorthand="a", prefix="-", others=["--no-ab"]), "| `-ab`, `-a`, `--no-ab` | – |"),
    ],
)
def test_row_of_an_option(option: Option, row: str) -> None:
    text = written(Command(name="x", options=[option]))
    assert text == f"## Options {{#options}}\n\n| Option | Meaning |\n| --- | --- |\n{row}\n"


def test_options_have_texts_with_their_own_anchors_for_search() -> None:
    document = compile_command(page_of(FIRE), source_path="docs/cli/pot_fire.md", options=ContentOptions())
    assert [one for one in document.text if one.kind == "option"] == [
        TextChunk("option", 2, "--heat -H Degrees, of the kiln | oven", "option-heat"),
        TextChunk("option", 2, "--glaze Colors!", "option-glaze"),
        TextChunk("option", 2, "-q", "option-q"),
        TextChunk("option", 3, "--verbose -v Say more", "option-verbose"),
    ]
    # Tables of other things keep their rows.
    assert [(one.heading, one.text) for one in document.text if one.kind == "row"] == [
        (1, "Argument · Meaning"),
        (1, "PIECE · what to harden"),
        (1, "SHELF · Optional. –"),
        (7, "Command · What it does"),
        (7, "pot fire once more · For hours"),
        (7, "pot fire slowly · –"),
    ]
    assert document.text[0] == TextChunk("paragraph", -1, "Heats <it>.", "")


def test_problems_and_links_of_a_page_are_placed_in_its_data_file() -> None:
    command = Command(name="a", description="# Usage\n\n![](./gone.png) and [gone](./gone.md) {{ gone }}\n", usage="a")
    document = compile_command(page_of(command), source_path="docs/cli/a.md", options=ContentOptions())
    assert {one.span for one in (*document.links, *document.assets, *document.diagnostics)} == {SPAN}
    assert [link.href for link in document.links] == ["./gone.md"]
    assert len(document.assets) == 1
    # A heading of the description may be called as one of ours.
    assert [one.code for one in document.diagnostics if one.code == "duplicate-anchor"] == []
    assert {one.excerpt for one in document.diagnostics} == {""}


def test_markdown_of_a_page_has_no_anchors_of_options() -> None:
    document = compile_command(page_of(FIRE), source_path="docs/cli/pot_fire.md", options=ContentOptions())
    assert 'id="option-heat"' in document.body
    assert "| `--heat`, `-H` *int* | Degrees, of the `kiln \\| oven`. Default: `900`. |" in document.markdown
