"""Names of elements that a browser knows; anything else in angle brackets is text. And how their attributes are written."""

from __future__ import annotations

from octavo.lazy import regex as re

_GAP = re.compile(r"[\s,]*+")
_RUN = re.compile(r"\S++")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")

_HTML = """
a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button canvas caption center
cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font
footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li
link main map mark marquee math menu meta meter nav noscript object ol optgroup option output p param picture pre
progress q rp rt ruby s samp script search section select slot small source span strike strong style sub summary sup
svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr
"""
_SVG = """
animate animatemotion animatetransform circle clippath defs desc ellipse fedropshadow feblend fecolormatrix
fecomposite feflood fegaussianblur feimage femerge femergenode feoffset feturbulence filter foreignobject g image
line lineargradient marker mask metadata mpath path pattern polygon polyline radialgradient rect set stop switch
symbol text textpath tspan use view
"""
_MATHML = """
annotation merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup
msup mtable mtd mtext mtr munder munderover semantics
"""
VOID = frozenset(
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
"""Elements of HTML that have no end tag. Lower case."""
_FOREIGN = frozenset((_SVG + _MATHML).split()) - frozenset(_HTML.split())
ELEMENTS = frozenset((_HTML + _SVG + _MATHML).split())
"""Lower case."""


def is_element(name: str) -> bool:
    """Whether a tag of this name is markup; names with a hyphen are custom elements.

    A single capital is a type parameter (`Vec<A>`), never an old-fashioned `<A>`, and a capital before small letters is
    a component (`<Link>`); only names in capitals throughout are old-fashioned HTML.
    """
    if name[0].isupper() and (len(name) == 1 or not name.isupper()):
        return False
    return name.lower() in ELEMENTS or ("-" in name and name[0].islower())


def needs_end_tag(name: str) -> bool:
    """Whether HTML takes `<name />` for an opening tag: a browser would nest the rest of the page in it."""
    folded = name.lower()
    return folded not in VOID and folded not in _FOREIGN


def split_sources(value: str) -> list[tuple[str, str]]:
    """Divide a `srcset` into (address, for which screens it is: `2x`, `640w`, or nothing); addresses may have commas."""
    found: list[tuple[str, str]] = []
    place = 0
    # Step by step, as browsers do: one expression for all would take a square of the time on commas alone.
    while (gap := _GAP.match(value, place)) and (run := _RUN.match(value, gap.end())):
        address = run[0].rstrip(",")
        place = run.end()
        end = place
        if address == run[0]:
            end = value.find(",", place)
            end = len(value) if end < 0 else end
        found.append((address, value[place:end].strip()))
        place = end
    return found


def is_external(href: str) -> bool:
    """Return whether an address names its own scheme or host."""
    return _EXTERNAL.match(href) is not None


def written_as(name: str) -> str:
    """Give the element that is written in place of an author's: a page has one `<main>`, which is around all of their text."""
    return "div" if name.lower() == "main" else name


_REFRESH = re.compile(r"""[\d.\s]*[;,]\s*(?:url\s*=\s*)?["']?(?P<href>(?!url\s*=)[^"'<>\s]+)""", re.IGNORECASE)
_OF_PAGES = re.compile(r"https?://|[./?#]|[^:]*\Z", re.IGNORECASE)
"""Addresses of pages: others, such as `javascript:`, would run a script."""


_REFRESH_TAG = re.compile(
    r"""<meta\b(?=[^<>]*\bhttp-?equiv=["']?refresh\b)[^<>]*\bcontent=(?P<mark>["'])(?P<content>[^<>]*?)(?P=mark)[^<>]*>""",
    re.IGNORECASE,
)


def refresh_tag(text: str) -> re.Match[str] | None:
    """Find the tag that sends readers on to another page; its attribute is the group `content`."""
    return _REFRESH_TAG.search(text) if "refresh" in text.lower() else None


def refresh_address(content: str) -> str:
    """Give the address that `<meta http-equiv="refresh" content="…">` sends readers on to; empty where it names no page."""
    match = _REFRESH.match(content)
    return match["href"] if match is not None and _OF_PAGES.match(match["href"]) else ""


def refresh_finding(what: str, href: str) -> tuple[str, str]:
    """Say that a page sends readers on: as long as the address itself does not lead elsewhere, they come there by a link.

    Returns:
        (message, suggestion).
    """
    message = f'{what} sends readers on to "{href}"; here they are shown a link.'
    return message, f'Take the page out, and write a redirect into octavo.toml: {{ from = "…", to = "{href}" }}.'
