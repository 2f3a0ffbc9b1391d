"""Check the pages that `search.toml` names."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.checks.findings import SourceLines
from octavo.checks.links import LinkChecker
from octavo.config import SEARCH_RULES_NAME, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.site import LinkResolver, Site


def check_search_rules(
    site: Site, checker: LinkChecker, *, resolver: LinkResolver, lines: SourceLines
) -> Iterator[Diagnostic]:
    """Find rules whose page is gone, or is no page that search finds: readers would not notice that they do nothing."""
    text = "\n".join(lines.of(SEARCH_RULES_NAME))
    named = dict.fromkeys(page for rule in site.config.search.rules.rules for page in rule.pages)
    for page in named:
        target = resolver.resolve_setting(page)
        span = Span(SEARCH_RULES_NAME, line_of_text(text, page))
        if target.kind != "page" or target.route not in site.by_route:
            close = checker.suggest_route(page, site.main_edition)
            hint = f'Did you mean "{close}"?' if close else "Name another page, or take the rule away."
            yield Diagnostic(
                "search-rule", "warn", span, f'"{page}" leads to no page, so this rule does nothing.', hint
            )
            continue
        problem = checker.problem(target)
        if problem is not None:
            anchor = checker.suggest_anchor(target)
            hint = f'Did you mean "{page.partition("#")[0]}#{anchor}"?' if anchor else "Take the part from # on away."
            message = f'"{page}": "{target.route}" has no heading or element with the id "{target.anchor}".'
            yield Diagnostic("search-rule", "warn", span, message, hint)
        elif (found := site.by_route[target.route]).is_unlisted or found.hides_from_search:
            cause = "is unlisted" if found.is_unlisted else "has `search: false`"
            message = f'"{page}" {cause}: search does not find it, so this rule does nothing.'
            hint = "Name another page, or list this one." if found.is_unlisted else "Name another page."
            yield Diagnostic("search-rule", "warn", span, message, hint)
