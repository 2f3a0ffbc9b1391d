"""The packages that are sampled, and the tests that should notice a change of each: cheapest folders first."""

from __future__ import annotations

import msgspec


class Package(msgspec.Struct, frozen=True):
    """A package and its tests."""

    name: str
    sources: tuple[str, ...]
    """Files and folders, from the repository's folder."""
    tests: tuple[tuple[str, ...], ...]
    """Stages: a mutant that survives one is run by the next."""


UNIT = "engine/tests/unit"
INTEGRATION = "engine/tests/integration"
ENGINE = "engine/src/octavo"

PACKAGES = (
    Package(
        "config",
        (f"{ENGINE}/config",),
        (
            tuple(
                f"{UNIT}/{name}.py"
                for name in (
                    "test_config",
                    "test_config_bounds",
                    "test_config_checks",
                    "test_config_defaults",
                    "test_config_mistakes",
                    "test_config_tables",
                    "test_explain",
                    "test_finding_levels",
                    "test_search_rules",
                )
            ),
            (
                f"{UNIT}/words",
                f"{UNIT}/look",
                f"{UNIT}/site",
                "tests/documentation/test_reference.py",
                f"{INTEGRATION}/revisions",
            ),
            (INTEGRATION,),
        ),
    ),
    Package(
        "content",
        (f"{ENGINE}/content",),
        ((f"{UNIT}/content",), (f"{UNIT}/site", f"{INTEGRATION}/content"), (f"{INTEGRATION}/pipeline",)),
    ),
    Package(
        "reference",
        (f"{ENGINE}/reference",),
        ((f"{UNIT}/reference",), (f"{INTEGRATION}/reference",), ("tests/documentation",)),
    ),
    Package("site", (f"{ENGINE}/site",), ((f"{UNIT}/site",), (f"{INTEGRATION}/pipeline", f"{INTEGRATION}/dev"))),
    Package(
        "build",
        tuple(
            f"{ENGINE}/{name}"
            for name in ("checks", "documents", "last_build", "pipeline", "publish", "rendering", "runtime")
        ),
        ((UNIT, f"{INTEGRATION}/last_build"), (f"{INTEGRATION}/pipeline",), (INTEGRATION,)),
    ),
    Package(
        "look",
        (f"{ENGINE}/look", f"{ENGINE}/pictures", f"{ENGINE}/diagrams", f"{ENGINE}/stylesheets"),
        (
            (
                f"{UNIT}/look",
                f"{UNIT}/diagrams",
                f"{UNIT}/pictures",
                f"{UNIT}/stylesheets",
                f"{INTEGRATION}/look/test_look.py",
                f"{INTEGRATION}/diagrams/test_draw.py",
            ),
            (f"{INTEGRATION}/look", f"{INTEGRATION}/diagrams"),
            (INTEGRATION,),
        ),
    ),
    Package(
        "extending",
        tuple(f"{ENGINE}/{name}" for name in ("extending", "extension_host", "extensions.py", "shipped")),
        ((f"{UNIT}/extending", f"{UNIT}/content"), (f"{INTEGRATION}/extending",)),
    ),
    Package(
        "components",
        (f"{ENGINE}/components", f"{ENGINE}/component_host"),
        ((f"{UNIT}/components",), (f"{INTEGRATION}/components",)),
    ),
    Package("revisions", (f"{ENGINE}/revisions",), ((f"{UNIT}/revisions",), (f"{INTEGRATION}/revisions",))),
    Package(
        "translations",
        (f"{ENGINE}/translations",),
        (
            (f"{UNIT}/translations",),
            (f"{INTEGRATION}/pipeline/test_translations.py",),
            (f"{INTEGRATION}/cli/test_translation_files.py",),
        ),
    ),
    Package("words", (f"{ENGINE}/words",), ((f"{UNIT}/words",), (f"{INTEGRATION}/pipeline",))),
    Package("hosting", (f"{ENGINE}/hosting",), (("tests/deploy/test_hosts.py",), (f"{INTEGRATION}/cli",))),
    Package("mcp", (f"{ENGINE}/mcp",), ((f"{UNIT}/test_mcp_choosing.py",), ("engine/tests/contract/mcp",))),
    Package("manual", (f"{ENGINE}/manual",), (("tests/documentation",),)),
    Package("importing", (f"{ENGINE}/importing",), ((f"{UNIT}/importing",), (f"{INTEGRATION}/importing",))),
    Package(
        "contract",
        tuple(f"{ENGINE}/{name}" for name in ("contract", "external_links", "feedback", "host_headers.py", "lazy")),
        ((UNIT,), (INTEGRATION,)),
    ),
    Package(
        "dev",
        tuple(f"{ENGINE}/{name}" for name in ("background", "dev", "live_search", "preview")),
        ((f"{INTEGRATION}/dev",),),
    ),
    Package(
        "search",
        (f"{ENGINE}/search",),
        (
            (
                f"{UNIT}/search",
                *(
                    f"{INTEGRATION}/search/test_{name}.py"
                    for name in ("counts_of_any_search", "parameters", "ranking", "relevance", "shards_update")
                ),
            ),
            ("engine/tests/contract/search",),
            (f"{INTEGRATION}/search", "engine/tests/contract/engines"),
        ),
    ),
    Package("server", (f"{ENGINE}/server",), ((f"{UNIT}/server",), (f"{INTEGRATION}/server", f"{INTEGRATION}/cli"))),
    Package("bundling", (f"{ENGINE}/bundling",), ((f"{UNIT}/bundling",), (f"{INTEGRATION}/components",))),
    Package("cli", (f"{ENGINE}/cli",), ((f"{INTEGRATION}/cli",),)),
    Package("gateway", ("apis/src/gateway_api",), (("apis/tests/unit",), ("apis/tests/contract/gateway",))),
    Package(
        "guard", ("apis/src/service_guard", "apis/src/octavo_sandbox"), (("apis/tests/unit",), ("apis/tests/contract",))
    ),
    Package("tool", ("apis/src/tool_api",), (("apis/tests/unit",), ("apis/tests/contract/tool",))),
)
