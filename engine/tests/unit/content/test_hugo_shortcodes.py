"""What becomes of the shortcodes of Hugo and its themes that have no template in the site."""

from __future__ import annotations

import re
from typing import Any

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each

FILES = {
    "docs/snip.py": "print(1)\r\n",
    "docs/part.md": "---\na: 1\n---\n*Part*\n",
    "docs/b.md": "# B\n",
    "assets/shared.md": "Shared.\n",
}


def compiled(text: str) -> Document:
    dialect = Dialect(extensions=frozenset({"hugo", "math"}), variables={"version": "1.4"})
    return compile_document(
        text, source_path="docs/a.md", load=FILES.get, options=ContentOptions(folders={"": dialect})
    )


def body_of(text: str) -> str:
    """Compile a page without findings; pictures of signs are left out."""
    found = compiled(text)
    assert [one.message for one in found.diagnostics] == []
    return re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>", "", found.body, flags=re.DOTALL)).strip()


@each(
    "call, kind, title",
    [
        ("note", "note", "Note"),
        ('note title="T"', "note", "T"),
        ('note "T"', "note", "T"),
        ("tip", "tip", "Tip"),
        ("attention", "warning", "Warning"),
        ("alert", "note", "Note"),
        ('alert color="warning"', "warning", "Warning"),
        ('callout type="ERROR"', "danger", "Danger"),
        ('callout type="odd"', "info", "Info"),
        ("notice success", "tip", "Tip"),
        ('notice info "T"', "info", "T"),
        ('hint context="secondary" header="T"', "note", "T"),
    ],
)
def test_alerts_are_admonitions_of_the_nearest_kind(call: str, kind: str, title: str) -> None:
    body = body_of(f"{{{{< {call} >}}}}\n*a*\n{{{{< /{call.split(maxsplit=1)[0]} >}}}}")
    assert f'<div class="admonition admonition-{kind}"' in body
    assert f'id="adm-1">{title}</p><div class="admonition-body"><p><em>a</em></p></div>' in body


@each(
    "text, html",
    [
        ('{{< callout text="*a*" >}}', '<div class="admonition-body"><p><em>a</em></p></div>'),
        ('{{< details "T" open >}}\na\n{{< /details >}}', '<details class="details" open><summary>T</summary><p>a</p>'),
        ('{{< expand title="T" open="1" >}}\na\n{{< /expand >}}', '<details class="details" open><summary>T</summary>'),
        ('{{< details title="T" closed="false" >}}a{{< /details >}}', '<details class="details" open><summary>T'),
        ("{{< details open >}}\na\n{{< /details >}}", '<details class="details"><summary>open</summary>'),
        ("{{< details >}}\na\n{{< /details >}}", '<details class="details"><summary>Details</summary><p>a</p>'),
        ("{{< mermaid >}}\ngraph TD\n{{< /mermaid >}}", '<figure class="diagram">'),
        ("{{< youtube abc_1-2 >}}", '<iframe src="https://www.youtube-nocookie.com/embed/abc_1-2" title="Video on YouTube"'),
        ('{{< youtube id="a?start=5" title="T" >}}', 'embed/a?start=5" title="T" allowfullscreen></iframe>'),
        ("{{< vimeo 12 >}}", '<iframe src="https://player.vimeo.com/video/12" title="Video on Vimeo"'),
        ("{{< gist a b >}}", ">https://gist.github.com/a/b</a>"),
        ('{{< tweet user="a" id="5" >}}', ">https://x.com/a/status/5</a>"),
        ("{{< tweet 5 >}}", ">https://x.com/i/status/5</a>"),
        ("{{< instagram ab >}}", ">https://www.instagram.com/p/ab/</a>"),
        ('{{< iframe "https://a.b/c" >}}', '<iframe src="https://a.b/c" title="https://a.b/c"></iframe>'),
        ('{{< progress "T" 20 >}}', "<p><strong>T</strong> 20 %</p>"),
        ("{{< param version >}}", "<p>1.4</p>"),
        ('{{< glossary_tooltip term_id="kite-line" >}}', "<p>kite line</p>"),
        ('{{< glossary_tooltip term_id="a" text="B" >}}', "<p>B</p>"),
        ('{{< term term="K" title="Kite" >}}', '<abbr title="Kite">K</abbr>'),
        ("{{< abbr K >}}", "<p>K</p>"),
        ('{{< feature-state for_k8s_version="v1" state="beta" >}}', "<strong>v1 [beta]</strong>"),
        ('## {{% heading "whatsnext" %}}', '<h2 id="whats-next">What\'s next</h2>'),
        ('{{< include "part.md" >}}', "<p><em>Part</em></p>"),
        ('{{< include "shared.md" >}}', "<p>Shared.</p>"),
        ('{{< badge "new" >}}', '<span class="badge">new</span>'),
        ('{{< pdf "a/b.pdf" >}}', ">b.pdf</a>"),
        ("{{< lead >}}a{{< /lead >}}", "<p>a</p>"),
        ('{{< section title="T" >}}\na\n{{< /section >}}', "<p><strong>T</strong></p><p>a</p>"),
        ("{{< steps >}}\n1. a\n{{< /steps >}}", '<div class="steps"><ol><li>a</li></ol></div>'),
        ('{{< card title="T" subtitle="S" >}}\na\n{{< /card >}}', '<div class="panel"><p class="panel-title">T</p><p>S</p><p>a</p></div>'),
        (
            '{{< filetree/folder name="a" >}}{{< filetree/file name="b" >}}{{< /filetree/folder >}}',
            "<code>a/</code></p><ul><li><code>b</code></li></ul>",
        ),
        ('{{< figure src="k.png" caption="C" alt="A" >}}', 'alt="A"'),
        ('{{< figure src="k.png" caption="C" >}}', "<p>C</p>"),
    ],
)  # fmt: skip
def test_shortcode_is_drawn(text: str, html: str) -> None:
    assert html in body_of(text)


@each("text", ["{{< comment >}}a{{< /comment >}}", '{{< icon "x" >}}', "{{< toc >}}", "{{< steps >}}{{< /steps >}}"])
def test_some_shortcodes_show_nothing(text: str) -> None:
    assert body_of(text) == ""


@each(
    "text, language, title, code",
    [
        ('{{< highlight go "linenos=1,hl_lines=2" >}}\n  a\n  b\n{{< /highlight >}}', "go", "", "a\nb"),
        ('{{< prism lang="go" line="2" title="x.go" >}}\na\nb\n{{< /prism >}}', "go", "x.go", "a\nb"),
        ("{{< prism >}}\na\n{{< /prism >}}", "text", "", "a"),
        ('{{< code-toggle file="hugo" >}}\na = 1\n{{< /code-toggle >}}', "toml", "hugo.toml", "a = 1"),
        ('{{< code-toggle file="a.b" >}}\n[a]\n{{< /code-toggle >}}', "toml", "a.b", "[a]"),
        ('{{< code-toggle >}}\n{"a": 1}\n{{< /code-toggle >}}', "json", "", '{"a": 1}'),
        ("{{< code-toggle >}}\na: 1\n{{< /code-toggle >}}", "yaml", "", "a: 1"),
        ('{{< readfile file="snip.py" code="true" >}}', "py", "", "print(1)"),
        ('{{< readfile file="snip.py" lang="text" >}}', "text", "", "print(1)"),
        ('{{< code "snip.py" >}}', "py", "", "print(1)"),
    ],
)
def test_code_has_its_language_and_title(text: str, language: str, title: str, code: str) -> None:
    found = compiled(text)
    assert [one.message for one in found.diagnostics] == []
    assert f'data-language="{language}"' in found.body
    assert (f"<figcaption>{title}</figcaption>" in found.body) == bool(title)
    shown = re.sub("<[^>]*>", "", found.body.replace(f"<figcaption>{title}</figcaption>", ""))
    assert shown.strip("\n").replace("&quot;", '"') == code
    marked = re.findall(r'class="line highlighted">(.*?)</span>\n?', found.body)
    assert bool(marked) == (("2" in text and "hl_lines" in text) or "line=" in text)


@each(
    "text, href, label",
    [
        ('{{< button href="/x" >}}Go{{< /button >}}', "/x", "Go"),
        ('{{< button link="/x" text="Go" >}}', "/x", "Go"),
        ('{{< button "/x" >}}', "/x", "/x"),
        ('{{< badge content="new" link="/x" >}}', "/x", '<span class="badge">new</span>'),
        ('{{< pdf src="a/b.pdf" >}}', "a/b.pdf", "b.pdf"),
    ],
)
def test_buttons_are_links(text: str, href: str, label: str) -> None:
    found = compiled(text)
    assert [link.href for link in found.links] == [href]
    assert f">{label}</a>" in found.body


def test_figure_may_be_a_link_and_names_who_made_it() -> None:
    body = body_of('{{< figure src="k.png" title="T" link="/x" attr="Me" attrlink="/me" >}}')
    assert re.search(r'<a href="[^"]*"><img [^>]*alt="T"', body)
    assert "<p><strong>T</strong> <a " in body
    assert ">Me</a></p>" in body


@each(
    "text, items",
    [
        ('{{< card title="T" link="/x" subtitle="S" >}}', [("T", "S")]),
        ('{{< cards >}}\n{{< card title="T" link="/x" >}}\n{{< /cards >}}', [("T", "")]),
    ],
)
def test_cards_that_lead_somewhere_are_listed(text: str, items: list[tuple[str, str]]) -> None:
    (island,) = compiled(text).islands
    assert [(one["label"], one["description"]) for one in island.props["items"]] == items


def tabs_of(text: str) -> list[Any]:
    (island,) = compiled(text).islands
    return [(one["value"], one["label"]) for one in island.props["tabs"]]


def test_tabs_are_named_by_themselves_or_by_what_is_around_them() -> None:
    assert tabs_of('{{< tabs >}}\n{{< tab "A" >}}x{{< /tab >}}\n{{< tab >}}y{{< /tab >}}\n{{< /tabs >}}') == [("A", "A"), ("Tab 2", "Tab 2")]  # fmt: skip
    listed = '{{< tabs items="One, Two" >}}\n{{< tab >}}x{{< /tab >}}\n{{< tab >}}y{{< /tab >}}\n{{< /tabs >}}'
    assert tabs_of(listed) == [("One", "One"), ("Two", "Two")]
    twice = '{{< tabs >}}\n{{< tab "A" >}}x{{< /tab >}}\n{{< tab "A" >}}y{{< /tab >}}\n{{< /tabs >}}'
    assert tabs_of(twice) == [("A-1", "A"), ("A-2", "A")]


def test_tab_that_cannot_be_chosen_is_a_label() -> None:
    text = '{{< tabpane text=true >}}\n{{< tab header="For:" disabled=true />}}\n{{< tab header="A" >}}x{{< /tab >}}\n{{< /tabpane >}}'
    assert "<p><strong>For:</strong></p>" in compiled(text).body
    assert tabs_of(text) == [("A", "A")]


def test_tab_without_a_group_is_its_title_and_content() -> None:
    assert body_of('{{< tab "A" >}}\nx\n{{< /tab >}}') == "<p><strong>A</strong></p><p>x</p>"


@each(
    "text",
    [
        '{{< youtube id="a b" >}}',
        "{{< gist a >}}",
        '{{< iframe "javascript:x" >}}',
        "{{< param gone >}}",
        '{{< include "gone.md" >}}',
        "{{< button >}}",
        "{{< code-toggle >}}{{< /code-toggle >}}",
        '{{< progress "T" >}}',
        '{{< heading "odd" >}}',
    ],
)
def test_shortcode_that_cannot_be_drawn_is_a_finding(text: str) -> None:
    found = compiled(f"A\n\n{text}\n")
    assert [(one.span.line, one.span.column) for one in found.diagnostics] == [(3, 1)]
    assert "<p>A</p>" in found.body


def test_shortcodes_without_an_end_are_beside_each_other() -> None:
    body = body_of(
        """{{< feature-grid >}}
{{< feature-card
  title="First"
  subtitle="One."
>}}
{{< feature-card title="Second" subtitle="Two." >}}
{{< card title="Third" >}}
{{< /feature-grid >}}

After."""
    )
    depth = deepest = 0
    for tag in re.findall(r"</?div\b", body):
        depth += -1 if tag.startswith("</") else 1
        deepest = max(deepest, depth)
    assert (depth, deepest) == (0, 2)
    assert re.findall(r"First|Second|Third|One|Two|After", body) == ["First", "One", "Second", "Two", "Third", "After"]


@each(
    "text",
    [
        '<div class="a">\n{{< button text="Start" link="/b" >}}\n</div>',
        '<div class="a">\n  {{< button text="Start" link="/b" >}}\n</div>',
        '<div class="a">\n{{< button text="Start" link="/b" >}}\n{{< button text="More" link="/c" >}}\n</div>',
    ],
)
def test_shortcode_below_a_line_of_html_is_read(text: str) -> None:
    body = body_of(text)
    assert ">Start</a>" in body
    assert "](" not in body
    assert body.endswith("</div>")
