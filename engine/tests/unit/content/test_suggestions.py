"""What findings about pages suggest: each says what to write, not only what is wrong."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from tests.support.each import each


@each(
    "dialect, text, suggestion",
    [
        ("md", "```bash npm2yarn\nls\n```", "Take the word out."),
        ("md", "```mermaid\nkite\n```", "Begin it with its kind, such as flowchart TD."),
        ("md math", "$\\begin{kite}x$", "Check its braces and commands; commands of packages are not known."),
        (
            "md math",
            "$\\kite$",
            'Say what it stands for: "[markdown.formula_macros]" of octavo.toml, or \\newcommand in the formula.',
        ),
        (
            "md",
            "a \ufffd",
            "Save the file as UTF-8, and write the character anew where it is lost. If U+FFFD is meant, write &#xFFFD;.",
        ),
        ("md", "a \x01 b", "Remove it."),
        ("md", '---\ntitle: "a\\0"\n---\nText', "Remove it."),
        ("md", "---\nicon: ''\n---\nText", "Name one, or remove the key."),
        ("md", "## Head {#a .b}", 'Take it out, or name "attr_list" among the extensions of [markdown].'),
        ("md", '<b id="a">x</b>\n\ntext\n\n## Head {#a}', "Give this element, or the heading, another id."),
        ("md", "a[^k]\n\n[^k]: one\n\n[^k]: two", "Give one of them another name, or take it out."),
        ("mdx", '<DocCardList items={[{type: "kite", href: "/a"}]} />', 'Known types: "link" and "category".'),
        (
            "mdx",
            '<Tabs a="1" a="2">\n\n<TabItem value="x">\n\nt\n\n</TabItem>\n\n</Tabs>',
            "Remove all but one of them.",
        ),
        (
            "mdx",
            "<head>\n<kite/>\n</head>",
            "Its title, its canonical address and tags of search engines are read; scripts and styles belong into the settings.",
        ),
        ("mdx starlight", "<Steps>\n\ntext\n\n</Steps>", "Write a numbered list."),
        (
            "mdx starlight",
            "<FileTree>\n\ntext\n\n</FileTree>",
            "Write a list of files, with those of a folder below it.",
        ),
        ("md abbr", "*[K]: one\n\n*[K]: two\n\nK", "Take one of them out."),
        ("md admonitions", "!!! note\n\ntext", "Indent what belongs to it by 4 spaces more than its first line."),
        ("md blocks", "/// define\na\n///", "Write it in plain Markdown."),
        ("md", '::: tip {#a kite="1"}\ntext\n:::', "Known are class, icon, id."),
        ("md emoji", "a :smilee: b", 'Did you mean ":smile:"?'),
        ("md attr_list", '*a*{: onclick="x"}', "Write a component, or a script of the site."),
        ("md md_in_html", '<div markdown="yes">\n\na\n\n</div>', 'Write markdown="1", "block" or "span".'),
        ("md mkdocstrings", "::: kite.wind", "Write the reference, or link to it."),
        ("md zola", "{{ counter(start=3) }}", "Write its content in Markdown."),
    ],
)
def test_finding_says_what_to_write(dialect: str, text: str, suggestion: str) -> None:
    ending, *extensions = dialect.split()
    options = ContentOptions(folders={"": Dialect(is_mdx=ending == "mdx", extensions=frozenset(extensions))})
    document = compile_document(f"{text}\n", source_path=f"docs/a.{ending}", load={}.get, options=options)
    assert suggestion in [one.suggestion for one in document.diagnostics]
