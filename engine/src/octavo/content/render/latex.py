"""LaTeX as `latex2mathml` reads it: what it would draw as text is written in other words first.

The converter knows commands and a few environments. Spaces after the end of a row, environments within others, and
definitions of commands would be letters of the formula; commands that it does not know are drawn as they are written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from html import unescape

from octavo.lazy import regex as re

_ROW_SPACE = re.compile(r"\\\\\*?[ \t]*\[[ \t]*-?[\d.]+[ \t]*(?:[a-z]{2}|\\[a-z]+)[ \t]*\]|\\\\\*")
_ENVIRONMENT = re.compile(r"\\(?P<edge>begin|end)[ \t]*\{(?P<name>[a-zA-Z]+\*?)\}(?P<rest>(?:\[[tbc]\])?)")
_AS = {
    "aligned": "align*",
    "alignedat": "align*",
    "alignat": "align*",
    "alignat*": "align*",
    "eqnarray": "align*",
    "eqnarray*": "align*",
    "flalign": "align*",
    "flalign*": "align*",
    "gathered": "matrix",
    "gather": "matrix",
    "gather*": "matrix",
    "multline": "matrix",
    "multline*": "matrix",
    "dcases": "cases",
    "rcases": "cases",
    "darray": "array",
}
"""Environment → the one of the converter that looks most like it."""
_AROUND = frozenset(["equation", "equation*", "displaymath", "math"])
"""Environments that only say that there is a formula."""
_COLUMNS = frozenset(["alignat", "alignat*", "alignedat"])
"""Environments with a number of columns behind their name."""
_WITHOUT_EFFECT = re.compile(
    r"\\(?:label|ensuremath|allowbreak|nobreak|notag|nonumber|displaystyle(?=\s*\\begin))(?![a-zA-Z])(?P<label>(?<=label)\s*\{[^{}]*\})?"
)
_DEFINITION = re.compile(
    r"\\(?:re|provide)?(?:newcommand|def)\*?\s*(?:\{\s*(?P<braced>\\[a-zA-Z]+)\s*\}|(?P<bare>\\[a-zA-Z]+))\s*(?:\[(?P<count>\d)\]|(?P<marks>(?:#\d)+))?\s*(?=\{)"
)
_BIG = re.compile(r"(\\[bB]igg?[lrm]?)\s*\{\s*(\\[a-zA-Z]+|\\?[^{}\\\s])\s*\}")
_SKIP = re.compile(
    r"\\(?:hskip|kern|mkern|mskip|mspace|hspace\*?)\s*\{?\s*(-?)([\d.]+)\s*(cm|mm|in|pt|pc|em|ex|mu)\s*\}?"
)
_MU = 18
"""Parts of an em that `mu` means."""
_LIMITS = re.compile(
    r"(\\(?:arg)?(?:max|min)|\\(?:lim|sup|inf|limsup|liminf|det|gcd|Pr)|\\big(?:cup|cap|vee|wedge|oplus|otimes|odot|uplus|sqcup)|"
    r"\\coprod|\\operatorname\*\s*\{[^{}]*\})(?![a-zA-Z])\s*(?=[_^])"
)
"""What has its bounds above and below it in a formula on lines of its own."""
_END_OF_LINE = re.compile(r"(?<!\\)\\(?=\n)")
_UNEQUAL = re.compile(r"\\not\s*=")
_TEXT = re.compile(r"(?<=<mtext>)[^<]*(?=</mtext>)")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_AMPERSAND = re.compile(r"&(?!#x?[0-9A-Fa-f]+;|\w+;)")
_LINE_BREAK = re.compile(r"\\(?:cr|newline)(?![a-zA-Z])")
_OWN = {
    r"\arg": r"\operatorname{arg}",
    r"\dag": r"\dagger",
    r"\ddag": r"\ddagger",
    r"\copyright": r"\text{©}",
    r"\AA": r"\text{Å}",
    r"\mathellipsis": r"\ldots",
    r"\colonequals": r"\coloneqq",
} | {
    rf"\{name}": rf"\mathrm{{{letter}}}"
    for name, letter in zip(
        ["Alpha", "Beta", "Epsilon", "Zeta", "Eta", "Iota", "Kappa", "Mu", "Nu", "Omicron", "Rho", "Tau", "Chi"],
        "ABEZHIKMNOPTX",
        strict=True,
    )
}
"""Commands that the converter does not know."""
_SIGN = re.compile(r"<(?P<tag>m[io])>&#x0*(?P<code>[0-9A-F]+);</(?P=tag)>")
_DELIMITER = re.compile(r"(<mo [^<>]*>)(\\(?:[{}|]|[a-zA-Z]+))(?=</mo>)")
_RENAMED = {"~": "∼", "*": "∗", "⟪": "⟨", "⟫": "⟩", "⧵": "∖", "⟂": "⊥"}
"""Sign of the converter → the one that LaTeX draws."""
_NAMES = frozenset("∀∁∂∃∄∅∇∞∠∡∢⊤⊥⋮√§∎▴▾▿◇◻□")
"""Signs that are set as letters are: they have no space around them."""
_OPERATORS = frozenset("±†‡…′⌈⌉⌊⌋⟨⟩∼·•⊳⊲▷◁⇝⨝")
"""Signs that the converter takes for letters, besides those that Unicode calls mathematical and arrows."""
_FENCES = frozenset("⌈⌉⌊⌋⟨⟩⟦⟧")
_UNKNOWN = re.compile(r"<m[ion][^<>]*>(?P<name>\\[a-zA-Z]+)</m[ion]>")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_MOST_STEPS = 200
_LONGEST = 20_000


def prepare(formula: str, macros: Mapping[str, str], *, is_block: bool) -> str:
    """Write a formula in the words of the converter.

    Args:
        formula: LaTeX, without the dollar signs.
        macros: Command → what it stands for, with `#1` to `#9` for its arguments.
        is_block: Whether it is on lines of its own.

    Raises:
        ValueError: It has columns, which nothing lays out.
    """
    own, formula = _definitions(formula) if "\\newcommand" in formula or "\\def" in formula else ({}, formula)
    formula = _expand(formula, {**_OWN, **macros, **own})
    formula = _UNEQUAL.sub(r"\\neq ", _END_OF_LINE.sub(r"\\ ", formula))
    formula = _BIG.sub(r"\1\2 ", _SKIP.sub(_space, _LINE_BREAK.sub(r"\\\\ ", formula)))
    if is_block:
        formula = _LIMITS.sub(r"\1\\limits", formula)
    if "\\\\" in formula:
        formula = _ROW_SPACE.sub(r"\\\\ ", formula)
    if "\\begin" in formula:
        formula = _environments(formula)
    formula = _WITHOUT_EFFECT.sub("", formula).strip().removesuffix("\\\\")
    outside = _outside(formula) if "\\\\" in formula or "&" in formula else ""
    if "&" in outside and not is_block:
        msg = "columns outside of an environment"
        raise ValueError(msg)
    if is_block and ("&" in outside or "\\\\" in outside):
        # What Sphinx and MyST do with the lines of a formula.
        return f"\\begin{{align*}}{formula}\\end{{align*}}"
    return formula


def corrected(mathml: str) -> str:
    """Write the signs of a drawn formula as LaTeX has them: those between terms with space, the others without.

    The converter takes relations (`sim`, `implies`, `pm`) for letters, takes `infty` and `partial` for operators, and
    leaves large delimiters as they are written.
    """
    mathml = _DELIMITER.sub(lambda match: match[1] + _delimiter(match[2]), mathml)
    mathml = _TEXT.sub(
        lambda match: _AMPERSAND.sub("&amp;", _ESCAPED.sub(r"\1", match[0].replace("~", "&#x000A0;"))), mathml
    )
    return _SIGN.sub(_sign, mathml)


def _sign(match: re.Match[str]) -> str:
    tag, sign = match["tag"], chr(int(match["code"], 16))
    if sign == "~" and tag == "mo":  # a wide accent
        return match[0]
    if sign in _NAMES:
        tag = "mi"
    elif sign in _OPERATORS or sign in _RENAMED or (tag == "mi" and _is_between(sign)):
        tag = "mo"
    code = f"&#x{ord(_RENAMED.get(sign, sign)):05X};"
    opening = f'{tag} stretchy="false"' if tag == "mo" and _RENAMED.get(sign, sign) in _FENCES else tag
    return f"<{opening}>{code}</{tag}>"


def _is_between(sign: str) -> bool:
    """Return whether Unicode calls a sign mathematical or an arrow, and no shape or letter."""
    return unicodedata.category(sign) == "Sm" or "ARROW" in unicodedata.name(sign, "")


def _delimiter(command: str) -> str:
    """Give the sign of a delimiter; the command where it is not known."""
    from latex2mathml.symbols_parser import convert_symbol

    if command[1] in "{}":
        return command[1]
    code = "02016" if command == "\\|" else convert_symbol(command)
    sign = unescape(f"&#x{code};") if code else ""
    return f"&#x{ord(_RENAMED.get(sign, sign)):05X};" if sign else command


def _space(match: re.Match[str]) -> str:
    unit = match[3]
    size = float(match[2].rstrip(".") or 0) / (_MU if unit == "mu" else 1)
    return f"\\hspace{{{match[1]}{round(size, 4)}{'em' if unit == 'mu' else unit}}}"


def _outside(formula: str) -> str:
    """Give what is in no environment and in no group."""
    kept, depth = [], 0
    for match in re.finditer(r"\\(begin|end)(?![a-zA-Z])|\\[a-zA-Z]+|\\.|[{}]|[^\\{}]+", formula, re.DOTALL):
        if match[0] == "{" or match[1] == "begin":
            depth += 1
        elif match[0] == "}" or match[1] == "end":
            depth -= 1
        elif depth <= 0 and match[0] != r"\&":
            kept.append(match[0])
    return "".join(kept)


def unknown_commands(mathml: str) -> list[str]:
    """Name the commands that a drawn formula shows as they are written."""
    return list(dict.fromkeys(match["name"] for match in _UNKNOWN.finditer(mathml)))


def _environments(formula: str) -> str:
    def one(match: re.Match[str]) -> str:
        name = match["name"]
        if name in _AROUND:
            return ""
        return f"\\{match['edge']}{{{_AS.get(name, name)}}}"

    for name in _COLUMNS:
        if name in formula:
            formula = re.sub(rf"(\\begin\{{{re.escape(name)}\}})\s*\{{\d+\}}", r"\1", formula)
    return _ENVIRONMENT.sub(one, formula)


def _definitions(formula: str) -> tuple[dict[str, str], str]:
    """Take the definitions of commands out of a formula."""
    found: dict[str, str] = {}
    kept, at = [], 0
    for match in _DEFINITION.finditer(formula):
        if match.start() < at:
            continue
        body, end = _group(formula, match.end())
        found[match["braced"] or match["bare"]] = body
        kept.append(formula[at : match.start()])
        at = end
    return found, "".join([*kept, formula[at:]])


def _group(text: str, at: int) -> tuple[str, int]:
    """Read the group in braces at a position, or else the one command or character there: (text, end)."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at >= len(text):
        return "", at
    if text[at] != "{":
        command = _COMMAND.match(text, at)
        end = command.end() if command else at + 1
        return text[at:end], end
    depth = 0
    for place in range(at, len(text)):
        if text[place] == "{" and text[place - 1 : place] != "\\":
            depth += 1
        elif text[place] == "}" and text[place - 1 : place] != "\\":
            depth -= 1
            if depth == 0:
                return text[at + 1 : place], place + 1
    return text[at + 1 :], len(text)


def _expand(formula: str, macros: Mapping[str, str]) -> str:
    """Put the text of commands into their places, also those within each other, up to a bound."""
    steps, at = 0, 0
    while (match := _COMMAND.search(formula, at)) and steps < _MOST_STEPS and len(formula) <= _LONGEST:
        body = macros.get(match[0])
        if body is None:
            at = match.end()
            continue
        steps += 1
        end = match.end()
        for number in range(1, max(map(int, re.findall(r"#([1-9])", body)), default=0) + 1):
            given, end = _group(formula, end)
            body = body.replace(f"#{number}", given)
        formula = f"{formula[: match.start()]}{{{body}}}{formula[end:]}"
        at = match.start()
    return formula
