"""What style sheets load: files of the site that must be there, and hosts that the content security policy must allow."""

from __future__ import annotations

import difflib
import posixpath
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from octavo.config import Config
from octavo.diagnostics import Diagnostic, Span
from octavo.lazy import regex as re
from octavo.stylesheets import Reference

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_DIRECTIVES: Final = {"import": "style-src", "font": "font-src", "image": "img-src"}
_FONT_HOSTS: Final = {"fonts.googleapis.com": "https://fonts.gstatic.com"}
"""Host of style sheets → where the fonts are that they name, if not on the same host."""


class LoadedAddresses:
    """Follows the addresses of style sheets."""

    def __init__(self, config: Config, site_dir: Path) -> None:
        """Initialize.

        Args:
            config: The settings.
            site_dir: The site's folder.
        """
        self._config = config
        self._site_dir = site_dir
        self.problems: list[Diagnostic] = []
        self.needs: dict[str, None] = {}
        """Sources that the content security policy must allow, each as `directive source`, in order."""

    def is_file(self, path: str) -> bool:
        """Return whether there is such a file in the site's folder, and no link leads out of it."""
        file = self._site_dir / path
        try:
            return file.is_file() and file.resolve().is_relative_to(self._site_dir.resolve())
        except (OSError, ValueError):
            return False  # a name that no file system takes

    def follow(self, reference: Reference, span: Span, folder: str | None, *, has_base: bool = True) -> str | None:
        """Find the file that an address means, and report what does not lead to one.

        Args:
            reference: The address.
            span: Where it is.
            folder: Folder of the sheet, from the site's folder; None where relative addresses have no fixed meaning.
            has_base: Addresses that begin with a slash contain the base URL already.

        Returns:
            Path from the site's folder; None where it means no file of the site.
        """
        address = reference.address.strip()
        if not address or address.startswith("#"):
            return None
        if address.startswith("//"):
            address = f"https:{address}"
        if _SCHEME.match(address):
            self._elsewhere(reference, address, span)
            return None
        target = unquote(re.split(r"[?#]", address, maxsplit=1)[0])
        static, base = self._config.static, self._config.base_url
        if not target.startswith("/"):
            if folder is None:
                message = f'"{reference.address}" is relative to each page, so it leads to another place on each.'
                self._report(span, message, f'Write the address of a file of the folder "{static}": "{base}…".')
                return None
            file = posixpath.normpath(posixpath.join(folder, target))
        elif target.startswith(base):
            file = posixpath.normpath(posixpath.join(static, target.removeprefix(base)))
        elif has_base:
            message = f'"{reference.address}" leads outside of the site, whose base_url is "{base}".'
            self._report(span, message, f'Write "{base}{address.lstrip("/")}", or an address relative to this file.')
            return None
        else:
            file = posixpath.normpath(posixpath.join(static, target.lstrip("/")))
        if file.startswith(f"{static}/_octavo/"):
            return None  # a file of the theme
        if file.startswith(f"{static}/") and self.is_file(file):
            return file
        message = f'"{reference.address}" is not a file in the folder "{static}".'
        close = self._nearest(file)
        hint = f'Did you mean "{address.rpartition("/")[0]}{"/" if "/" in address else ""}{close}"?' if close else ""
        self.problems.append(Diagnostic("broken-asset", self._config.diagnostics.broken_assets, span, message, hint))
        return None

    def _report(self, span: Span, message: str, hint: str) -> None:
        self.problems.append(Diagnostic("style-sheet", "warn", span, message, hint))

    def _nearest(self, file: str) -> str | None:
        folder, _, name = file.rpartition("/")
        if not f"{folder}/".startswith(f"{self._config.static}/"):
            return None
        try:
            names = [
                entry.name for entry in (self._site_dir / folder).iterdir() if self.is_file(f"{folder}/{entry.name}")
            ]
        except (OSError, ValueError):
            return None
        return next(iter(difflib.get_close_matches(name, sorted(names), n=1)), None)

    def _elsewhere(self, reference: Reference, address: str, span: Span) -> None:
        scheme = address.partition(":")[0].lower()
        directive = _DIRECTIVES[reference.kind]
        if scheme == "data":
            # Pictures of this kind are always allowed.
            if reference.kind != "image":
                self.needs[f"{directive} data:"] = None
        elif scheme in ("http", "https") and (host := host_of(address)):
            self.needs[f"{directive} {host}"] = None
            if reference.kind == "import":
                self.needs |= dict.fromkeys(needs_of_remote(address))
        else:
            message = f'"{address[:60]}" is not an address that pages may load.'
            self._report(span, message, "Put the file into the static folder.")


def needs_of_remote(address: str) -> list[str]:
    """List what a style sheet of another host is likely to load, which is not read here: fonts and pictures of that host."""
    host = host_of(address)
    name = host.partition("://")[2]
    return [f"font-src {_FONT_HOSTS.get(name, host)}", f"img-src {host}"] if host else []


def host_of(address: str) -> str:
    """Give scheme and host of an address, as a source of a policy; empty where it names none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    is_plain = re.fullmatch(r"[A-Za-z0-9.:\[\]-]+", parts.netloc)
    return f"{parts.scheme.lower()}://{parts.netloc}" if is_plain else ""
