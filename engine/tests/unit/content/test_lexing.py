"""The merged lexer says what Pygments says."""

from __future__ import annotations

import pytest
from pygments.lexers import get_lexer_by_name

from octavo.content.code.lexing import merged

SAMPLES = {
    "python": 'import re\n\n@cache\ndef f(x: int = 0x1F) -> str:\n    """Doc\n    string."""\n    return f"{x!r:>10} {x + 1}" if x else r\'\\d\'\n',
    "rust": "fn main() -> Result<(), Box<dyn Error>> {\n    let v: Vec<u8> = vec![1, 2]; // c\n    println!(\"{:?} {}\", v, 'a');\n}\n",
    "csharp": 'using System;\n/// <summary>x</summary>\npublic class A<T> where T : B { string s = @"a""b"; int? n = null; }\n',
    "powershell": 'Get-Process | Where-Object { $_.CPU -gt 10 } # c\n$x = @"\nhere $($y)\n"@\n<# block #>\n',
    "javascript": "const a = `x ${b + `y`}`; /re[/]x/gi.test(a) ? a : b / c;\nclass A extends B { #p = 1 }\n",
    "bash": 'for f in "$@"; do\n  echo "${f%.txt}" $((1 + 2)) <<EOF\n  $HOME\nEOF\ndone # c\n',
    "cpp": '#include <vector>\ntemplate <class T> T f(std::vector<T>&& v) { return R"(raw)"[0]; }\n',
    "json": '{"a": [1, 2.5e3, true, null], "b": "\\u00e9"}\n',
    "yaml": "a: &x\n  - 1\n  - 'b' # c\nd: |\n  text\n  more\ne: *x\n",
    "lua": 'local t = {a = 1, [[long\nstring]], --[[ c ]] }\nfunction t:f(...) return #self .. "x" end\n',
    "docker": 'FROM python:3.11 AS b\nRUN pip install x && \\\n  echo "y"\nCMD ["a", "b"]\n',
    "html": '<!doctype html><p class="a">x &amp; <script>let a = 1 < 2</script><style>p{color:red}</style>\n',
    "typescript": "export type A<T> = { readonly [K in keyof T]?: T[K] };\nlet x = y as unknown as number;\n",
    "go": "package main\nfunc (s *S) F(ch <-chan int) (err error) { go func() { defer close(ch) }(); return }\n",
    "diff": "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n",
    "sql": "SELECT a.*, count(*) FROM t a WHERE a.x = 'it''s' -- c\n",
}
UNUSUAL = ["", "\n", "\x00", "'unclosed", '"""', "```", "é中🚀", "#pop " * 20, "((((", "\t \r\n x"]


@pytest.mark.parametrize("language", SAMPLES)
def test_tokens_are_those_of_pygments(language: str) -> None:
    lexer = get_lexer_by_name(language)
    for text in [SAMPLES[language], *UNUSUAL, *SAMPLES.values()]:
        assert list(lexer.get_tokens_unprocessed(text)) == list(merged(type(lexer))().get_tokens_unprocessed(text))
