"""Values in templates of Hugo that are not pages: tables of settings, data, and files."""

from __future__ import annotations

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from octavo.content.translate.surroundings import Surroundings

_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif")


class Trimmed(str):
    """The mark for the content of a shortcode, where a template has taken away the white space around that."""

    __slots__ = ()


def with_content(value: Any, mark: str, content: str) -> Any:
    """Put the content of a shortcode in the place of its mark."""
    if not isinstance(value, str) or mark not in value:
        return value
    return value.replace(mark, content.strip() if isinstance(value, Trimmed) else content)


class Thing(ABC):
    """An object with fields, whatever its class; a protocol would look its members up at each question."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        """Return whether objects of a class have fields."""
        return hasattr(other, "field")

    @abstractmethod
    def field(self, name: str) -> Any:
        """Give a field; a function where it is a method.

        Raises:
            LookupError: it is not known.
        """


def field_of(value: Any, name: str) -> Any:
    """Give a field of a value, or what a mapping has under a name; None where it has nothing.

    Raises:
        LookupError: the value is of a kind that has no such field.
    """
    if value is None:
        return None
    if isinstance(value, Thing):
        return value.field(name)
    if isinstance(value, dict):
        if name in value:
            return value[name]
        small = name.lower()
        return next((found for key, found in value.items() if str(key).lower() == small), None)
    raise LookupError(f"{name} is not known")


class File:
    """The file of a page."""

    def __init__(self, path: str) -> None:
        self._path = path

    def field(self, name: str) -> Any:
        """Give its path from the folder of the content, or a part of it."""
        base = posixpath.basename(self._path)
        stem = base.rpartition(".")[0]
        parts = {
            "Path": self._path,
            "Dir": self._path[: len(self._path) - len(base)],
            "LogicalName": base,
            "BaseFileName": stem,
            "TranslationBaseName": stem.partition(".")[0],
            "ContentBaseName": posixpath.basename(posixpath.dirname(self._path))
            if stem in ("index", "_index")
            else stem,
            "Ext": base.rpartition(".")[2],
        }
        if name not in parts:
            raise LookupError(f"File.{name} is not known")
        return parts[name]


class SiteParams:
    """The parameters of the site, or a table of them."""

    def __init__(self, around: Surroundings, path: tuple[str, ...]) -> None:
        self._around = around
        self._path = path

    def field(self, name: str) -> Any:
        """Give one."""
        path = (*self._path, name.lower())
        key = ".".join(path)
        if (found := self._around.variables.get(key)) is not None:
            return {"true": True, "false": False}.get(found, found)
        value: Any = field_of(self._around.hugo_settings, "params")
        for part in path:
            value = field_of(value, part) if isinstance(value, dict) else None
        if value is None and any(one.startswith(f"{key}.") for one in self._around.variables):
            return SiteParams(self._around, path)
        return value


class Data:
    """A folder of Hugo's data: its files are read when they are asked for."""

    def __init__(self, around: Surroundings, path: tuple[str, ...]) -> None:
        self._around = around
        self._path = path

    def field(self, name: str) -> Any:
        """Give a file of it, or a folder."""
        path = (*self._path, name)
        found = self._around.data(*path)
        return Data(self._around, path) if found is None else found

    @property
    def name(self) -> str:
        """How templates call it."""
        return ".".join(("site.Data", *self._path))

    def items(self) -> Iterator[tuple[str, Any]]:
        """List its files and folders by name.

        Raises:
            LookupError: there is no such folder here; that of a theme may have one.
        """
        names = self._around.listing("/" + "/".join(("data", *self._path)))
        if not names:
            raise LookupError(f"{self.name} is not known")
        for name in sorted({posixpath.splitext(one.rstrip("/"))[0] for one in names}):
            yield name, self.field(name)

    def __bool__(self) -> bool:
        return any(True for _ in self.items())


class Resource:
    """A file beside a page, or one of the assets."""

    def __init__(self, path: str, around: Surroundings, name: str = "") -> None:
        self.path = path
        self.name = name or posixpath.basename(path)
        self._around = around

    def field(self, name: str) -> Any:
        """Give a field; pictures are not made smaller, so that they give themselves."""
        kind = "image" if posixpath.splitext(self.path)[1].lower() in _IMAGES else "text"
        if name in ("RelPermalink", "Permalink"):
            return self._around.relative(self.path)
        if name == "Content":
            text = self._around.read_path(self.path)
            if text is None:
                raise LookupError(f"{self.path} is not text that is known here")
            return text
        if name in ("Resize", "Fit", "Fill", "Crop", "Filter", "Process"):
            return lambda *_: self
        if name in ("Width", "Height"):
            return ""  # pages get the size of each picture while they are drawn
        if name in ("Name", "Title"):
            return self.name
        if name == "ResourceType":
            return kind
        if name == "MediaType":
            ending = posixpath.splitext(self.path)[1].lstrip(".").lower()
            subtype = {"jpg": "jpeg", "svg": "svg"}.get(ending, ending)
            return {"MainType": kind, "SubType": subtype, "Type": f"{kind}/{subtype}"}
        if name == "Params":
            return {}
        raise LookupError(f"the field {name} of a file is not known")
