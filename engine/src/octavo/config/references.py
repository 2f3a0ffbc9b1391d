"""What `octavo.toml` may say about references made of data: the tables `[[openapi]]` and `[[commands]]`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Literal

import msgspec

from octavo.config.table import Table
from octavo.lazy import regex as re

Sample = Literal["curl", "python", "javascript", "go"]


_EARLIER_LAYOUTS: dict[str, Literal["page", "operations"]] = {"single": "page", "pages": "operations"}


class Inventory(Table, frozen=True, kw_only=True):
    """What another project describes, as Sphinx and mkdocstrings publish it."""

    url: str
    """Address of the project's documentation, such as `https://docs.python.org/3`."""
    file: str
    """Copy of its file `objects.inv`, from the folder of the site."""


class Guide(Table, frozen=True, kw_only=True):
    """A link from the reference to a page that tells how to do something with it."""

    label: str
    href: str
    """Route of the guide, such as `/how-to/fire#glaze`, or an address of another site."""


class ApiReference(Table, frozen=True, kw_only=True):
    """An API whose description is drawn as pages of the site."""

    id: str
    """Name of the API, unique among all APIs."""
    doc: str
    """Document id of its page: with `reference/api`, the route is `/reference/api`."""
    spec: str
    """File of the site with the description, in JSON or YAML. With `url`, this is the copy that Octavo uses if the
    address does not answer."""
    url: str | None = None
    """Address from which Octavo downloads the description at build time."""
    url_env: str | None = None
    """Environment variable with this address. It has priority over `url` if it is set and not empty."""
    timeout_s: float = 10.0
    """Seconds after which the download is stopped."""
    title: str | None = None
    """Title of the page. By default, that of the description."""
    description: str | None = None
    sidebar_label: str | None = None
    sidebar_position: float | None = None
    introduction: str | None = None
    """Markdown file that is shown before the reference. Start its name with an underscore if it should not be a page of
    its own."""
    guides: dict[str, list[Guide]] = {}
    """Links to guides beside parts of the reference: name of a tag, id of an operation, or method and path (`GET
    /kilns`) → links."""
    layout: Literal["auto", "page", "tags", "operations", "single", "pages"] = "auto"
    """`page`: everything on one page. `tags`: an overview, a page for each tag, and pages of schemas. `operations`: the
    same, with a page for each operation. `auto`: `page` for a small description, otherwise `tags`, with a page for
    each operation of a large tag. `single` and `pages` are old names of `page` and `operations`."""
    samples: list[Sample] = msgspec.field(default_factory=lambda: ["curl", "python", "javascript", "go"])
    """Languages of the code samples. The first one is open."""
    internal: Literal["report", "hide", "show"] = "report"
    """What to do with operations, parameters, fields and other parts of the description that are marked with
    `x-internal: true`: `report` leaves them out with a warning, `hide` without one, and `show` shows them."""
    console: bool = True
    """Let readers send requests from the page. Nothing is sent until the reader starts a request."""
    changes: bool = False
    """Compare the description with those of the versions from tags or branches. A page `DOC-changes` lists what each
    version has added, changed, and removed, and operations and parameters show the versions that brought and changed
    them."""
    command: str = ""
    """Command that starts the API on the computer of the reader. The console shows it if the API does not answer."""


class CommandReference(Table, frozen=True, kw_only=True):
    """A program whose commands have a page each, made from data."""

    source: str
    """File or folder with the descriptions of the commands, in the YAML format of cobra."""
    docs: str
    """Folder in the docs folder for the pages."""
    changes: bool = False
    """Compare the commands with those of the versions from tags or branches. A page `changes` lists what each version
    has added, changed, and removed, and commands and options show the versions that brought and changed them."""


def check_apis(apis: list[ApiReference]) -> Iterator[tuple[str, str, str]]:
    """Find what types alone can't say.

    Returns:
        (key, its value, message) for each mistake.
    """
    for number, api in enumerate(apis):
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", api.id):
            yield "id", api.id, f'openapi: id is "{api.id}"; expected small letters, digits and hyphens.'
        if not re.fullmatch(r"[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*", api.doc):
            yield (
                "doc",
                api.doc,
                f'openapi: doc is "{api.doc}"; expected the id of a document, such as "reference/api".',
            )
        if api.spec.startswith("/") or ".." in api.spec.split("/") or "\\" in api.spec:
            yield "spec", api.spec, f'openapi: spec is "{api.spec}"; expected a file inside the site, without "..".'
        intro = api.introduction
        if intro is not None and (intro.startswith("/") or ".." in intro.split("/") or "\\" in intro):
            yield (
                "introduction",
                intro,
                f'openapi: introduction is "{intro}"; expected a file inside the site, without "..".',
            )
        for key, guides in api.guides.items():
            for guide in guides:
                if not re.fullmatch(r"(?:https?://|/(?!/))[^\s\\]*", guide.href):
                    message = f'openapi: a guide of "{key}" leads to "{guide.href}"; expected a route or an address.'
                    yield "href", guide.href, message
        if api.url is not None and not re.fullmatch(r"https?://[^\s\\]+", api.url):
            yield (
                "url",
                api.url,
                f'openapi: url is "{api.url}"; expected an address that begins with http:// or https://.',
            )
        if not 0 < api.timeout_s <= 300:
            yield (
                "timeout_s",
                f"{api.timeout_s:g}",
                f"openapi: timeout_s is {api.timeout_s:g}; expected 1 to 300 seconds.",
            )
        others = apis[:number]
        if any(other.id == api.id for other in others):
            yield "id", api.id, f'openapi: the id "{api.id}" is given twice; each must have one of its own.'
        if any(other.doc == api.doc for other in others):
            yield "doc", api.doc, f'openapi: the doc "{api.doc}" is given twice; each must have one of its own.'


def tidy_api(api: ApiReference) -> ApiReference:
    """Write its file in one form."""
    introduction = posixpath.normpath(api.introduction) if api.introduction else None
    layout = _EARLIER_LAYOUTS.get(api.layout, api.layout)
    return msgspec.structs.replace(api, spec=posixpath.normpath(api.spec), introduction=introduction, layout=layout)


def tidy_commands(reference: CommandReference) -> CommandReference:
    """Write its folders in one form."""
    normal = posixpath.normpath
    return msgspec.structs.replace(reference, source=normal(reference.source), docs=normal(reference.docs))
