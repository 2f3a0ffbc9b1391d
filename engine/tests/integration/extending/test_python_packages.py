"""Reference pages of Python packages as they are: their habits in names of modules and in docstrings."""

from __future__ import annotations

from tests.support.sites import HOME, MakeSite

CONFIG = """
extensions = ["octavo.shipped.python_api"]

[extension_options.python_api]
packages = ["acme"]
paths = ["src"]

[markdown]
extensions = ["autorefs", "math"]
"""
MODULES = {
    "src/acme/__init__.py": '"""Acme.\n\nWhat all use."""\nfrom acme.parts.parts import Part\n',
    "src/acme/parts/__init__.py": '"""Parts."""\n',
    "src/acme/parts/parts.py": '''"""
acme.parts.parts
~~~~~~~~~~~~~~~~

The parts, by [the guide](../guide.md).
"""


class Base:
    def turn(self):
        """Turn."""


class Part(Base):
    """A part."""
''',
    "src/acme/parts/index.py": '"""Where parts are."""\n',
    "src/acme/tests/__init__.py": "",
    "src/acme/tests/test_parts.py": '"""Unread."""\ndef (\n',
    "src/acme/conftest.py": '"""Unread."""\n',
    "src/acme/use.py": '''"""Use.

See Also
========

.. autoclass:: Tool

.. currentmodule:: acme.use

:copyright: 2020 the authors.
:license: MIT
"""


class Tool:
    """Turns :meth:`acme.Part.turn` and :class:`acme.Part`, as ``flow[u][v]`` and flow[u][v][key] say, flow[u](v=1), *args or **kwargs.

    Separated by \\0 and \\b. It costs :math:`O(n)`.

    .. admonition:: About the price

        It is high.

    .. WARNING:: Hot.

    .. versionchanged:: 2.0 By :class:`acme.Part`.

    As here::

        code()

    .. rubric:: Sources

    .. math::

        a^2

    .. code-block:: python
        :linenos:

        turn()
    """

    def run(self, speed, **more):
        """Run, see [the guide][1].

        :param speed: How fast.
        :param colour: One of more.
        :raises: :class:`ValueError` where it is late.

        [1]: https://one.example/
        """

    def turn(self, angle):
        """Turn [1]_.

        Parameters
        ----------
        angle : int, optional
            In degrees.

        See Also
        --------
        run : How to run,
            or to walk.
        stop, turn_back

        References
        ----------
        .. [1] A. Author: On
           turning.
        """

    def stop(self, speed):
        """Stop, see [the other guide][1].

        Args:
            speed
                Before it stops.

        [1]: https://two.example/
        """
''',
}


def test_habits_of_packages_are_no_findings_and_lose_nothing(make_site: MakeSite) -> None:
    site = make_site({**MODULES, "guide.md": "", "docs/guide.md": "# Guide\n", **HOME}, CONFIG)
    found = [
        one for one in site.check() if "guide.md" not in one
    ]  # a link of the docstring that is right on no page is a broken link
    assert found == []
    site.write({"src/acme/parts/parts.py": MODULES["src/acme/parts/parts.py"].replace("(../guide.md)", "(/guide)")})
    assert site.build().is_published

    # A module with the name of its package has a page of its own.
    assert "The parts, by" in site.html("/api/acme/parts/parts")
    assert "Where parts are." in site.html("/api/acme/parts/index")
    assert 'href="/api/acme/parts/parts"' in site.html("/api/acme/parts/")
    assert not (site.out / "api/acme/tests").exists()
    assert not (site.out / "api/acme/conftest").exists()

    html = site.html("/api/acme/use").partition("<main")[2].partition("</article>")[0]
    assert html.count("<h1") == 1
    assert "<strong>See Also</strong>" in html
    assert "<strong>Copyright</strong>: 2020" in html
    assert 'href="/api/acme/parts/parts#acme.parts.parts.Base.turn"' in html
    assert "flow[u][v][key] say, flow[u](v=1), *args or **kwargs" in html
    assert r"Separated by \0 and \b." in html
    assert html.count("<math") == 2
    run = 'href="/api/acme/use#acme.use.Tool.run"'
    assert f"<li><a {run}><code>run</code></a>: How to run, or to walk.</li>" in html
    assert "<code>turn_back</code></li>" in html
    assert "Turn [1]." in html
    assert "<li>[1] A. Author: On\nturning.</li>" in html
    assert "Changed in version 2.0" in html
    assert "As here:<" in html
    for text in (
        "About the price",
        "Hot.",
        "<strong>Sources</strong>",
        "turn",
        "where it is late.",
        "Before it stops.",
    ):
        assert text in html, text
    assert 'href="https://one.example/"' in html
    assert 'href="https://two.example/"' in html
    for mark in ("..", ":linenos:", ":raises", "~~~", "===="):
        assert mark not in html.replace("...", ""), mark


RST = {
    "src/acme.py": '''"""Acme.

.. autoclass:: Tool

speed
    How fast.
"""


class Tool:
    """A tool.

    .. autoattribute:: weight

    Attributes:

    heavy
        :paramref:`.Tool.weight` says it.
    """

    weight = 1
    """In grams."""
''',
}


def test_docstrings_in_restructuredtext_name_what_their_own_page_shows(make_site: MakeSite) -> None:
    config = CONFIG.replace('["autorefs", "math"]', '["autorefs", "myst"]').replace(
        'paths = ["src"]', 'paths = ["src"]\nmarkup = "rst"'
    )
    site = make_site({**RST, **HOME}, config)
    assert site.build().diagnostics == []
    html = site.html("/api/acme")
    assert html.count('id="acme.Tool"') == 1
    assert html.count('id="acme.Tool.weight"') == 1
    assert "<dt>" in html
    assert "How fast." in html
    assert "says it." in html


def test_time_for_packages_grows_with_their_files(make_site: MakeSite) -> None:
    slow = """
import time
from octavo.extensions import Extension
extension = Extension("kit", inputs=["data/*.txt"])

@extension.documents
def pages(call):
    until = time.monotonic() + 2
    while time.monotonic() < until:
        pass
    return []
"""
    config = 'extensions = ["ext/kit.py"]\nextension_timeout_s = 1\n'
    site = make_site({"ext/kit.py": slow, **HOME}, config)
    [found] = site.check()
    assert "it took longer than 1 s and was ended" in found
    assert "Let it do less, or raise extension_timeout_s." in found
    site.write({f"data/{number}.txt": "" for number in range(400)})
    assert site.check() == []
