"""Attributes of HTML that React names otherwise."""

from __future__ import annotations

from typing import Final

ATTRIBUTES: Final = {
    "allowfullscreen": "allowFullScreen",
    "autoplay": "autoPlay",
    "class": "className",
    "colspan": "colSpan",
    "crossorigin": "crossOrigin",
    "datetime": "dateTime",
    "for": "htmlFor",
    "frameborder": "frameBorder",
    "maxlength": "maxLength",
    "playsinline": "playsInline",
    "readonly": "readOnly",
    "referrerpolicy": "referrerPolicy",
    "rowspan": "rowSpan",
    "srcset": "srcSet",
    "tabindex": "tabIndex",
    "viewbox": "viewBox",
}
"""Name in HTML, in lower case → name in React."""
