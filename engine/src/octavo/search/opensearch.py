"""The OpenSearch description, by which browsers add the site's search.

Source:
    OpenSearch 1.1 Draft 6, "OpenSearch description document".
"""

from __future__ import annotations

from octavo.config import Config
from octavo.text_files import escape_xml

OPENSEARCH_ADDRESS = "opensearch.xml"
OPENSEARCH_TYPE = "application/opensearchdescription+xml"
_LONGEST_NAME = 16
"""Characters of `ShortName`, as the format demands."""


def write_opensearch(config: Config, search_url: str) -> bytes:
    """Write the description.

    Args:
        config: The site's configuration.
        search_url: Absolute address of the search page.
    """
    icon = ""
    if config.favicon:
        address = f"{config.url}{config.base_url}{config.favicon.lstrip('/')}"
        icon = f'  <Image width="16" height="16">{escape_xml(address)}</Image>\n'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        f"  <ShortName>{escape_xml(config.title[:_LONGEST_NAME].strip())}</ShortName>\n"
        f"  <Description>Search {escape_xml(config.title)}</Description>\n"
        "  <InputEncoding>UTF-8</InputEncoding>\n"
        f"{icon}"
        f'  <Url type="text/html" method="get" template="{escape_xml(search_url)}?q={{searchTerms}}"/>\n'
        "</OpenSearchDescription>\n"
    ).encode()
