"""Build sites and serve them with the real server, as a process of its own."""

from __future__ import annotations

import re
import select
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import msgspec

from octavo.publish.build import build_site

_START_S = 120
_STOP_S = 60
_START_LINE = re.compile(r" at (?P<origin>http://[^/\s]+)(?P<base>/\S*)$")


class Served(msgspec.Struct, frozen=True):
    """A published site and the server that answers for it."""

    out: Path
    """The published folder."""
    origin: str
    """Scheme, host and port, without a slash at the end."""
    base_url: str
    """Path of the site's root; starts and ends with a slash."""

    def url(self, route: str) -> str:
        """Give the address of a route."""
        return f"{self.origin}{self.base_url}{route.removeprefix('/')}"

    def routes(self) -> list[str]:
        """List the routes of the sitemap, in its order."""
        namespace = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
        tree = ET.fromstring((self.out / "sitemap.xml").read_text())
        addresses = [element.text or "" for element in tree.iter(f"{namespace}loc")]
        return ["/" + address.split("/", 3)[3].removeprefix(self.base_url.removeprefix("/")) for address in addresses]

    def html(self, route: str) -> str:
        """Read the HTML file of a route."""
        return (self.out / unquote(route).strip("/") / "index.html").read_text()


def copy_site(source: Path, target: Path, changes: Mapping[str, str] | None = None) -> Path:
    """Copy a site's sources, so that no test writes into the checkout.

    Args:
        source: Its folder.
        target: The folder to make.
        changes: Text of `octavo.toml` → its replacement; each must occur.
    """
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("build", ".octavo"))
    config = target / "octavo.toml"
    text = config.read_text()
    for old, new in (changes or {}).items():
        if old not in text:
            raise ValueError(f"{config} does not hold {old!r}.")
        text = text.replace(old, new)
    config.write_text(text)
    return target


def publish_site(site: Path, out: Path, *, is_strict: bool = False) -> None:
    """Build a site; anything that is wrong with its content is a failure here."""
    built = build_site(site, out, is_strict=is_strict)
    problems = [f"{problem.span}: {problem.message}" for problem in built.diagnostics if problem.level == "error"]
    if problems or not built.is_published:
        raise AssertionError("\n".join([f"{site} was not published:", *problems]))


@contextmanager
def serve_folder(out: Path, log: Path) -> Iterator[Served]:
    """Run `octavo serve` on a free port; it must start, stop when told, and have nothing to complain about.

    Args:
        out: The published folder.
        log: File for what the server writes to its error stream.
    """
    home = log.with_suffix(".home")  # its cache and its database of searches are its own
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "octavo", "serve", str(home), "--no-build", "--out", str(out), "--port", "0"]
    with log.open("w") as errors, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server:
        try:
            yield _wait_for_start(server, out, log)
        finally:
            server.terminate()
            code = server.wait(_STOP_S)
    complaints = log.read_text()
    if code != 0 or complaints:
        raise AssertionError(f"The server ended with code {code} and wrote:\n{complaints}")


def _wait_for_start(server: subprocess.Popen[str], out: Path, log: Path) -> Served:
    assert server.stdout is not None
    is_ready, _, _ = select.select([server.stdout], [], [], _START_S)
    line = server.stdout.readline().rstrip("\n") if is_ready else ""
    match = _START_LINE.search(line)
    if match is None:
        raise AssertionError(f"The server did not start; it wrote {line!r} and:\n{log.read_text()}")
    return Served(out=out, origin=match["origin"], base_url=match["base"])
