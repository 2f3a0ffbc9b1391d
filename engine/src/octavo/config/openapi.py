"""What `octavo.toml` may say about API descriptions: the tables `[[openapi]]`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

Sample = Literal["curl", "python", "javascript", "go"]


_EARLIER_LAYOUTS: dict[str, Literal["page", "operations"]] = {"single": "page", "pages": "operations"}


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A link from the reference to a page that tells how to do something with it."""

    label: str
    href: str
    """A route of the site, such as `/how-to/fire#glaze`, or an address elsewhere."""


class ApiReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An API whose description is drawn as pages of the site."""

    id: str
    """Name of it among the others."""
    doc: str
    """Id of its page's document, such as `reference/api` for the route `/reference/api`."""
    spec: str
    """The description, a file of the site in JSON or YAML; with an address, the recorded copy for when that is away."""
    url: str | None = None
    """Address from which it is fetched at build time."""
    url_env: str | None = None
    """Environment variable that holds this address; it counts before `url`, and unset or empty it is as if not named."""
    timeout_s: float = 10.0
    """Seconds that the address has to answer."""
    title: str | None = None
    """Title of the page; by default the description's own."""
    description: str | None = None
    sidebar_label: str | None = None
    sidebar_position: float | None = None
    introduction: str | None = None
    """A Markdown file of the site that is shown before the reference, compiled and checked like any page; a name that
    starts with `_` keeps it from being a page of its own."""
    guides: dict[str, list[Guide]] = {}
    """Links to guides, shown beside what they are about: the name of a tag, the id of an operation, or its method and
    path such as `GET /kilns`."""
    layout: Literal["auto", "page", "tags", "operations", "single", "pages"] = "auto"
    """`page`: everything on one page. `tags`: an overview, a page for each tag with its operations, and pages of schemas.
    `operations`: the same, with a page for each operation. `auto`: `page` for a description of a few operations, else
    `tags`, in which a large tag has a page for each operation. `single` and `pages` are earlier names of `page` and
    `operations`."""
    samples: list[Sample] = msgspec.field(default_factory=lambda: ["curl", "python", "javascript", "go"])
    """Languages in which requests are shown, the first of them open."""
    console: bool = True
    """Offer to send requests from the page. Nothing is sent before the reader asks for it."""
    changes: bool = False
    """Compare the description with those of the versions from tags or branches: a page `DOC-changes` lists what each version has
    added, changed and removed, and operations and parameters say which version brought them."""
    command: str = ""
    """Command that starts the API on the reader's machine; the console names it where nobody answers."""


def check_apis(apis: list[ApiReference]) -> Iterator[tuple[str, str, str]]:
    """Find what types alone can't say.

    Returns:
        (key, its value, message) for each mistake.
    """
    for api in apis:
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
            yield "timeout_s", str(api.timeout_s), f"openapi: timeout_s is {api.timeout_s}; expected 1 to 300 seconds."
        others = [other for other in apis if other is not api]
        if any(other.id == api.id for other in others):
            yield "id", api.id, f'openapi: the id "{api.id}" is given twice; each must have one of its own.'
        if any(other.doc == api.doc for other in others):
            yield "doc", api.doc, f'openapi: the doc "{api.doc}" is given twice; each must have one of its own.'


def tidy_api(api: ApiReference) -> ApiReference:
    """Write its file in one form."""
    introduction = posixpath.normpath(api.introduction) if api.introduction else None
    layout = _EARLIER_LAYOUTS.get(api.layout, api.layout)
    return msgspec.structs.replace(api, spec=posixpath.normpath(api.spec), introduction=introduction, layout=layout)
