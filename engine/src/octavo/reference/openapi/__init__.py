"""API references: an OpenAPI description in, pages out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.reference.openapi.description import Description
    from octavo.reference.openapi.documents import make_document
    from octavo.reference.openapi.guides import PlacedGuide, unknown_keys
    from octavo.reference.openapi.operation import fill_server
    from octavo.reference.openapi.pages import ApiPage, has_introduction, plan_pages
    from octavo.reference.openapi.source import MAX_BYTES
    from octavo.reference.openapi.source.bundle import Origins, bundle
    from octavo.reference.openapi.source.check import check_description
    from octavo.reference.openapi.source.fetch import FetchError, Keep, fetch_description
    from octavo.reference.openapi.source.internal import internal_problem, without_internal
    from octavo.reference.openapi.source.mend import read_what_is_right
    from octavo.reference.openapi.source.newer import as_openapi_31
    from octavo.reference.openapi.source.parse import parse_description
    from octavo.reference.openapi.source.problems import DescriptionText, Problem, write_pointer
    from octavo.reference.openapi.source.swagger import as_openapi_3, in_terms_of_swagger, is_swagger
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "description": ("Description",),
            "documents": ("make_document",),
            "guides": (
                "PlacedGuide",
                "unknown_keys",
            ),
            "operation": ("fill_server",),
            "pages": (
                "ApiPage",
                "has_introduction",
                "plan_pages",
            ),
            "source": ("MAX_BYTES",),
            "source.bundle": ("Origins", "bundle"),
            "source.check": ("check_description",),
            "source.fetch": (
                "FetchError",
                "Keep",
                "fetch_description",
            ),
            "source.internal": ("internal_problem", "without_internal"),
            "source.mend": ("read_what_is_right",),
            "source.newer": ("as_openapi_31",),
            "source.parse": ("parse_description",),
            "source.problems": (
                "Problem",
                "DescriptionText",
                "write_pointer",
            ),
            "source.swagger": ("as_openapi_3", "is_swagger", "in_terms_of_swagger"),
        },
    )

__all__ = [
    "MAX_BYTES",
    "ApiPage",
    "Description",
    "DescriptionText",
    "FetchError",
    "Keep",
    "Origins",
    "PlacedGuide",
    "Problem",
    "as_openapi_3",
    "as_openapi_31",
    "bundle",
    "check_description",
    "fetch_description",
    "fill_server",
    "has_introduction",
    "in_terms_of_swagger",
    "internal_problem",
    "is_swagger",
    "make_document",
    "parse_description",
    "plan_pages",
    "read_what_is_right",
    "unknown_keys",
    "without_internal",
    "write_pointer",
]
