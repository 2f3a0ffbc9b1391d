"""Words that are to be written differently: a list of the site's, such as product names and words to avoid.

    [extension_options.spelling]
    words = { "javascript" = "JavaScript", "e-mail" = "email" }

Each use is a finding with its place. Code, addresses, attributes and comments are left alone. Words are compared letter for letter, so
`javascript` does not find `JavaScript`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.extensions import Extension, Finding, Site, options

extension = Extension("spelling")

_WORDS: dict[str, str] = dict(options("spelling").get("words", {}))
_USES = re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, sorted(_WORDS, key=len, reverse=True)))})(?![\w/-]|\.\w)")
_NO_TEXT = re.compile(
    r"\A---\n.*?\n---\n|^(?P<fence>[`~]{3,}).*?^(?P=fence)|(?P<ticks>`+)[^`].*?(?P=ticks)|<!--.*?-->|<[^>\n]*>|\]\([^)\n]*\)"
    r"|https?://\S+|^import [^\n]*"
    # Attributes: `[label]{src="a.js"}`, `:::name{…}`.
    r"|(?<=\])\{[^{}\n]*\}|(?<=:)[A-Za-z][\w-]*\{[^{}\n]*\}",
    re.MULTILINE | re.DOTALL,
)


@extension.check
def spelling(site: Site) -> Iterator[Finding]:
    """Look for the words in the sources of all pages."""
    for path in dict.fromkeys(page.path for page in site.pages if _WORDS):
        if not path.endswith((".md", ".mdx", ".markdown")) or not site.inputs.exists(path):
            continue
        text = site.inputs.read_text(path)
        plain = _NO_TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        for use in _USES.finditer(plain):
            line = plain.count("\n", 0, use.start()) + 1
            column = use.start() - plain.rfind("\n", 0, use.start())
            better = _WORDS[use[0]]
            message = f'"{use[0]}" is written "{better}" here.'
            yield Finding(message, path, line=line, column=column, suggestion=f'Write "{better}".')
