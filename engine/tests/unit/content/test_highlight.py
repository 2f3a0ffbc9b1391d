import pytest

from octavo.content.code.highlight import _ALIASES, highlight, highlight_lines, is_known

_SAMPLES = {
    "bash": 'echo "a" # c',
    "json": '{"a": 1}',
    "powershell": "Get-Item $x # c",
    "docker": "FROM a:1",
    "lua": "local x = 1 -- c",
    "js": "const x = 1",
    "javascript": "const x = 1",
    "ts": "let x: number",
    "typescript": "let x: number",
    "tsx": "const a = <B />",
    "jsx": "const a = <B />",
    "yml": "a: 1",
    "yaml": "a: 1",
    "sh": 'echo "a"',
    "shell": 'echo "a"',
    "ps1": "Get-Item $x",
    "dockerfile": "FROM a:1",
    "toml": "a = 1",
    "ini": "[a]\nb = 1",
    "mdx": "# a",
    "md": "# a",
    "markdown": "# a",
    "http": "GET / HTTP/1.1",
    "go": "func f() {}",
    "rust": "fn f() {}",
    "python": "def f(): ...",
    "py": "def f(): ...",
    "html": "<b>x</b>",
    "xml": "<b>x</b>",
    "css": "a { b: c }",
    "sql": "SELECT 1",
    "graphql": "query { a }",
    "java": "class A {}",
    "csharp": "class A {}",
    "cpp": "int x = 1;",
    "c": "int x = 1;",
    "kotlin": "val x = 1",
    "swift": "let x = 1",
    "ruby": "def f; end",
    "php": "<?php echo 1;",
    "diff": "-a\n+b",
    "makefile": "a: b",
    "nginx": "listen 80;",
    "hcl": 'a = "b"',
    "jsonc": '{"a": 1} // c',
    "env": "A=1 # c",
    "svg": "<g/>",
}


@pytest.mark.parametrize("language", _SAMPLES)
def test_language_is_highlighted(language: str):
    assert is_known(language)
    assert '<span class="' in highlight(language, _SAMPLES[language])


@pytest.mark.parametrize("language", ["", "text", "plaintext", "txt", "output", "none"])
def test_plain_language_is_shown_as_it_is(language: str):
    assert is_known(language)
    assert "a &lt; <b>".replace("<b>", "&lt;b&gt;") == highlight(language, "a < <b>")


def test_lines_are_complete_in_themselves():
    assert highlight_lines("js", "/* a\nb */\n") == ('<span class="cm">/* a</span>', '<span class="cm">b */</span>', "")


def test_unknown_language_is_plain():
    assert not is_known("no-such-language")
    assert highlight("no-such-language", "&") == "&amp;"


@pytest.mark.parametrize("language", ["kite-sql", "my-own-python"])
def test_a_dialect_is_colored_as_the_language_at_the_end_of_its_name(language: str) -> None:
    code = "SELECT 1" if language == "kite-sql" else "def f(): ..."
    assert is_known(language)
    assert highlight(language, code) == highlight(language.rpartition("-")[2], code)


def test_a_letter_at_the_end_of_a_name_says_nothing() -> None:
    assert not is_known("kite-c")


@pytest.mark.parametrize("language", ["nohighlight", "no-highlight", "gitignore", "codeowners"])
def test_names_of_other_highlighters_for_plain_text_are_known(language: str) -> None:
    assert is_known(language)
    assert highlight(language, "a = 1") == "a = 1"


@pytest.mark.parametrize("language", ["jinja2", "kt", "hpp", "typescriptreact", "prisma", "pkl", "plsql"])
def test_names_of_other_highlighters_are_known(language: str) -> None:
    assert '<span class="' in highlight(language, '"a" # {{ b }}')


def test_names_of_others_lead_to_languages_that_are_known() -> None:
    assert [(name, language) for name, language in _ALIASES.items() if not is_known(language)] == []
