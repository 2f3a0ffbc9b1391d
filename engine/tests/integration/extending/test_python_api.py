"""Reference pages from Python source, in published sites."""

from __future__ import annotations

import sys

from tests.support.sites import HOME, MakeSite, SiteFolder, page

CONFIG = """
extensions = ["octavo.shipped.python_api"]

[extension_options.python_api]
packages = ["acme"]
repository = "https://code.example/acme/blob/main/src"

[markdown]
extensions = ["autorefs"]
"""
PACKAGE = {
    "__init__.py": '''"""Talk to rockets.

See [`acme.client.Client`] and [the launch][acme.client.Client.launch], or `[not][a.reference]`.
"""

raise SystemExit("the package must not be imported")

from acme._core import Engine
from acme.client import Client

__all__ = ["Client", "Engine", "LIMIT"]

LIMIT: int = 3
"""Rockets at a time."""
''',
    "_core.py": '''class _Base:
    def start(self) -> None:
        """Start, as all do."""


class Engine(_Base):
    """Burns.

    Parameters
    ----------
    fuel : str, optional
        What it burns, default ``"methane"``.
    """

    def __init__(self, fuel: str = "methane") -> None: ...
''',
    "client.py": '''"""Clients."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import overload

from acme._core import Engine


class LaunchError(Exception):
    """It did not fly."""


@dataclass
class Plan:
    """A plan.

    Attributes:
        stages: How many.
    """

    stages: int
    engine: Engine | None = None
    """What drives it."""


class Client:
    """Launches.

    Example:
        >>> Client("x").launch(Plan(1))
        True
    """

    def __init__(self, token: str, *, retries: int = 2) -> None:
        """Connect.

        Args:
            token: A secret.
            retries: How often, with `{{ braces }}`, <b>tags</b> and a*b*c.
        """

    @property
    def state(self) -> dict[str, list[Plan]]:
        """What is going on."""

    async def launch(self, plan: Plan, /, *names: str, path: Path | None = None, **more: object) -> bool:
        """Launch.

        Args:
            plan: Which one, a :class:`~acme.client.Plan`.
            fuel: One of those that are taken by keyword.

        Returns:
            Whether it flew.

        Raises:
            LaunchError: It did not; see [`acme.client.Nothing`].
        """

    def _hidden(self) -> None: ...


class Fleet(Client):
    """Many.

    :param size: How many.
    :type size: int
    :returns: nothing
    """

    def __init__(self, size): ...


@overload
def make(a: int) -> int: ...
@overload
def make(a: str) -> str: ...
def make(a):
    """Make.

    # A heading

    .. note:: Careful.
    """


def land(height):
    """:returns: Softly.
    :return: Or twice.
    """


def lift(load):
    """Lift.

    :param gone: There is no such parameter.
    :raises ValueError: It is too heavy.
    """


class Metres(float):
    """A height.

    :param value: From the ground.
    """
''',
    "tests/__init__.py": "",
    "broken.py": "def (:\n",
}
GUIDE = """See [`acme.client.Client`], [a launch][acme.client.Client.launch], [acme.LIMIT][] and [gone][acme.Nothing].

[By address](ref:acme.client.Plan), and [prose].

::: acme.client.Plan
    options:
      show_source: true
      heading_level: 3
      colour: red

::autodoc[acme.client.Client]{members="state" show_bases=false}

::autodoc[acme.Clint]

After.
"""


def make_library(make_site: MakeSite, guide: str = GUIDE, config: str = CONFIG) -> SiteFolder:
    site = make_site({"docs/guide.md": page("Guide", guide), **HOME}, config)
    for name, text in PACKAGE.items():
        file = site.root.parent / "src" / "acme" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return site


def markdown_of(site: SiteFolder, address: str) -> str:
    return (site.out / address).read_text("utf-8").partition("\n---\n")[2]


def test_modules_are_pages_and_pages_show_objects(make_site: MakeSite) -> None:
    site = make_library(make_site, GUIDE.replace("[gone][acme.Nothing]", "more"))
    assert [one.replace("python_api: ", "") for one in site.check()] == [
        (
            "../src/acme/broken.py:1:1: warn: This module cannot be read, and has no page: invalid syntax (broken.py, line 1). "
            f"Python {sys.version_info[0]}.{sys.version_info[1]} reads it: newer syntax needs a newer one. "
            "[extension-finding]"
        ),
        (
            '../src/acme/client.py:60:1: warn: The docstring of "acme.client.Client.launch" refers to "acme.client.Nothing", which '
            "is not in the reference. [extension-finding]"
        ),
        (
            "../src/acme/client.py:97:1: warn: The docstring of \"acme.client.lift\": Parameter 'gone' does not appear in "
            "the function signature. [extension-finding]"
        ),
        'docs/guide.md:9:1: warn: "colour" is not an option of a Python reference. [extension-finding]',
        (
            'docs/guide.md:17:1: warn: There is no "acme.Clint" in the packages acme. Did you mean "acme.Client"? '
            "[extension-finding]"
        ),
    ]
    package = markdown_of(site, "api/acme.md")
    assert "See [`acme.client.Client`](/api/acme/client#acme.client.Client)" in package
    assert "[the launch](/api/acme/client#acme.client.Client.launch), or `[not][a.reference]`" in package
    assert "- [`acme.client`](/api/acme/client#acme.client): Clients." in package
    assert "- [`Client`](/api/acme/client#acme.client.Client): Launches." in package
    assert "acme.tests" not in package
    # What a private module defines is shown where it is offered, with what its private base gives it.
    assert "class Engine(fuel: str = 'methane')" in package
    assert "def start() -> None" in package
    assert "Bases:" not in package
    assert "default `'methane'`): What it burns" in package
    assert "LIMIT: int = 3" in package

    client = markdown_of(site, "api/acme/client.md")
    assert "**`plan`** ([`Plan`](/api/acme/client#acme.client.Plan))" in client
    assert "a [`Plan`](/api/acme/client#acme.client.Plan)" in client
    assert "async def launch(\n    plan: Plan,\n    /,\n    *names: str,\n    path: Path | None = None,\n" in client
    assert "[`LaunchError`](/api/acme/client#acme.client.LaunchError): It did not" in client
    assert "@property\ndef state(self) -> dict[str, list[Plan]]" in client
    assert "**Inherited from** [`Client`](/api/acme/client#acme.client.Client): [`state`]" in client
    assert "@overload\ndef make(a: int) -> int\n@overload\ndef make(a: str) -> str" in client
    assert "> **Note**\n>\n> Careful." in client
    assert "- **`size`** (`int`): How many." in client
    assert ":return" not in client
    assert "Softly." in client
    assert "It is too heavy." in client
    assert ":raises" not in client
    assert "From the ground." in client  # and no finding: the parameters of float are not read
    assert ":param" not in client
    assert "Or twice." in client
    assert "[Source](https://code.example/acme/blob/main/src/acme/client.py#L81-L87)" in client
    assert "_hidden" not in client
    # Each member is a heading with its path as id, which search and the table of contents know.
    html = site.html("/api/acme/client")
    assert 'id="acme.client.Client.launch"' in html

    # A page shows single objects, and refers to others.
    text = markdown_of(site, "guide.md")
    assert "### `Plan`" in text
    assert "@dataclass\nclass Plan:" in text
    assert "## `Client`\n\n```python\nclass Client(token: str, *, retries: int = 2)" in text
    assert "### `Client.state`" in text
    assert "Client.launch" not in text.partition("## `Client`")[2]
    assert "[`acme.client.Client`](" in text or 'href="/guide#acme.client.Client"' in site.html("/guide")
    assert 'href="/api/acme/#acme.LIMIT"' in site.html("/guide")
    assert "[prose]" in text
    # Without pages of modules, types lead only to what pages show.
    site.write({"octavo.toml": f'title = "Site"\n{CONFIG}'.replace("repository", 'docs = ""\nrepository')})
    site.write({"docs/guide.md": page("Guide", "::: acme.client.Client\n    options:\n      members: [launch]\n")})
    site.check()
    assert not (site.out / "api").exists()
    assert "<code>Plan</code>" in site.html("/guide")


def test_references_to_nothing_are_findings(make_site: MakeSite) -> None:
    site = make_library(
        make_site, "[gone][acme.client.Clyent] and [gone](ref:acme.client.Clyent), [a text][not an id]."
    )
    found = [one for one in site.check() if one.startswith("docs/")]
    message = (
        'No heading and no member of a reference has the id "acme.client.Clyent". Did you mean "acme.client.Client"?'
    )
    assert found == [
        f"docs/guide.md:5:1: error: {message} [broken-link]",
        f"docs/guide.md:5:32: error: {message} [broken-link]",
        (
            'docs/guide.md:5:64: warn: The reference "not an id" is not defined; it is shown as text. '
            'Write "[not an id]: address" on a line of its own. [undefined-reference]'
        ),
    ]


def test_settings_that_do_not_fit_are_findings(make_site: MakeSite) -> None:
    site = make_library(make_site, "Text.", CONFIG.replace('["acme"]', '["acmee"]'))
    assert [one for one in site.check() if "acmee" in one] == [
        (
            'octavo.toml:6:13: error: python_api: There is no package "acmee" in the folders ../src, .., src, .. '
            "Name the folder that it is in by `paths` in [extension_options.python_api]. [extension-finding]"
        )
    ]
    site.write({"octavo.toml": f'title = "Site"\n{CONFIG.replace("repository", "repo")}'})
    assert any('"repo" is not among them' in one for one in site.check())


def test_only_modules_that_pages_need_are_read(make_site: MakeSite) -> None:
    config = CONFIG.replace('packages = ["acme"]', 'packages = ["acme"]\ndocs = ""')
    site = make_library(make_site, "::autodoc[acme.fleet.Ship]\n\n::autodoc[acme.fleet.Shop]", config)
    package = site.root.parent / "src" / "acme"
    for name, text in {
        "fleet.py": (
            "from . import unread_too as _later\nfrom ._hull import *\nfrom acme.parts import Engine\n\n\n"
            'class Ship(Hull):\n    """Sails, unlike [`acme.broken.Wreck`]."""\n\n'
            '    def start(self, engine: Engine) -> None:\n        """Start."""\n        import acme.broken\n'
        ),
        "_hull.py": 'class Hull:\n    def float(self) -> None:\n        """Float, as all do."""\n',
        "parts.py": "from acme.client import Plan as Engine\n",
        "unread_too.py": "",
        "broken.py": "def\n",
        **{f"other_{number}.py": "" for number in range(20)},
    }.items():
        (package / name).write_text(text, "utf-8")
    found = [one for one in site.check() if "acme" in one]
    assert found == [
        (
            'docs/guide.md:7:1: warn: python_api: There is no "acme.fleet.Shop" in the packages acme. '
            'Did you mean "acme.fleet.Ship"? [extension-finding]'
        )
    ]
    site.build()
    text = markdown_of(site, "guide.md")
    assert "Sails" in text
    assert "Start." in text
    assert "**Inherited from** `Hull`: `float`" in text
    site.write({"docs/guide.md": page("Guide", "::autodoc[acme.broken.Wreck]")})
    assert any("This module cannot be read" in one for one in site.check())


HANDED_ON = {
    "src/acme/__init__.py": "from acme.core import Client as Client\nfrom acme._run import run as run, _hide as _hide\nfrom acme.core import unmarked\n",
    "src/acme/_run.py": 'def run() -> None:\n    """Run, as :meth:`acme.Client.go` does."""\ndef _hide() -> None:\n    """Hide."""\n',
    "src/acme/core.py": 'class Client:\n    """Runs by :func:`acme.run`."""\n    def go(self) -> None:\n        """Go."""\ndef unmarked() -> None:\n    """Nothing."""\n',
    "src/acme/all/__init__.py": "from acme.all._parts import *\nfrom acme.core import *\n",
    "src/acme/all/_parts.py": 'def part() -> None:\n    """Part."""\n',
}


def test_names_that_a_package_hands_on_without_a_list_are_public(make_site: MakeSite) -> None:
    config = CONFIG.replace('"acme"]', '"acme"]\npaths = ["src"]')
    text = "[a](ref:acme.Client.go) [b](ref:acme.core.Client) [c](ref:acme.run) [d](ref:acme.all.part)"
    site = make_site(HANDED_ON | {"docs/a.md": page("A", text)} | HOME, config)
    assert site.build().diagnostics == []
    package, core = site.html("/api/acme/"), site.html("/api/acme/core")
    assert 'id="acme.run"' in package
    assert "_hide" not in package
    assert 'id="acme.unmarked"' not in package
    assert 'id="acme.core.Client.go"' in core
    assert '<a id="acme.Client.go"></a>' in core
    assert 'href="/api/acme/core#acme.Client.go"' in site.html("/a")
    assert 'href="/api/acme/core#acme.core.Client.go"' in package
    assert 'id="acme.all.part"' in site.html("/api/acme/all")


SPHINX = '''
def go(*, dry: bool) -> None:
    """Go to the :term:`launch pad <pad>`, see :pep:`8`, :doc:`guides/start`, :ref:`after-landing` and :command:`acme go`.

    Described `on the
    web <https://example.org/go>`_.

    ..  versionadded:: 2.0 *dry*

    :param dry: .. note:: Nothing burns.
    """


class Status:
    """Of a rocket.

    :ivar int stages: How many.
    :ivar ~acme.Status | None before: What it was.

    .. attribute:: PENDING
        :type: str

        It waits.
    .. attribute:: GONE

        It flies.
    """
'''


def test_roles_directives_and_fields_of_sphinx_are_no_text_of_the_page(make_site: MakeSite) -> None:
    config = CONFIG.replace('"acme"]', '"acme"]\npaths = ["src"]')
    site = make_site({"src/acme.py": SPHINX} | HOME, config)
    assert site.build().diagnostics == []
    html = site.html("/api/acme")
    assert "launch pad, see" in html
    assert '<a href="https://peps.python.org/pep-0008/"' in html
    assert "<code>acme go</code>" in html
    assert '<a href="https://example.org/go"' in html
    assert "New in version 2.0" in html
    assert "Nothing burns." in html
    assert "<strong><code>PENDING</code></strong>" in html
    assert "It waits." in html
    assert "It flies." in html
    assert "How many." in html
    for mark in (":::", "..", ":term:", ":ivar", ":type:"):
        assert mark not in html.partition("<main")[2].partition("</article>")[0].replace("...", "")


def test_comments_of_attributes_and_texts_of_setters_are_shown(make_site: MakeSite) -> None:
    module = (
        '"""Kilns."""\n\n#: Degrees at most,\n#: in Celsius.\nLIMIT = 1300\nFUEL = "gas"  #: What it *burns*.\n\n\n'
        'class Kiln:\n    """Burns."""\n\n    @property\n    def heat(self) -> int:\n        """How hot it is."""\n\n'
        '    @heat.setter\n    def heat(self, value: int) -> None:\n        """Turns the flame up."""\n'
    )
    config = CONFIG.replace('"acme"]', '"kilns"]\npaths = ["src"]')
    site = make_site({"src/kilns.py": module} | HOME, config)
    assert site.build().diagnostics == []
    text = site.html("/api/kilns")
    for words in ("Degrees at most,\nin Celsius.", "What it <em>burns</em>.", "How hot it is.", "Turns the flame up."):
        assert words in text, words
