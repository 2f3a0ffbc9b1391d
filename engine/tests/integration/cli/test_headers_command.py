"""`octavo headers`: what other hosts must send."""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from engine.tests.integration.cli.conftest import Run
from octavo.host_headers import FRAME_POLICY, SECURITY_HEADERS, write_headers
from octavo.manifest import Manifest, ManifestFile
from octavo.server.addresses import Addresses, FoundFile
from tests.support.sites import HOME, MakeSite, SiteFolder


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    made = make_site(HOME, 'base_url = "/docs/"\n')
    assert made.build().is_published
    return made


def expected(site: SiteFolder) -> dict[str, str]:
    return SECURITY_HEADERS | {"Content-Security-Policy": site.manifest().content_policy}


def printed(run: Run, site: SiteFolder, host: str) -> str:
    result = run("headers", site.root, "--out", site.out, "--format", host)
    assert (result.code, result.err) == (0, "")
    return result.out


def test_netlify_reads_a_path_and_indented_headers(run: Run, site: SiteFolder) -> None:
    blocks = re.findall(r"^(/\S+)\n((?:  .+\n)+)", printed(run, site, "netlify"), re.MULTILINE)
    read = {path: dict(line.strip().split(": ", 1) for line in lines.splitlines()) for path, lines in blocks}
    assert read == {
        "/docs/*": expected(site),
        "/docs/_octavo/assets/*": {"Cache-Control": "public, max-age=31536000, immutable"},
        "/docs/_octavo/files/*": {"Cache-Control": "public, max-age=31536000, immutable"},
    }


def test_nginx_adds_them_to_every_answer(run: Run, site: SiteFolder) -> None:
    text = printed(run, site, "nginx")
    assert dict(re.findall(r'^add_header (\S+) "(.*)" always;$', text, re.MULTILINE)) == expected(site)
    assert '"~^/docs/_octavo/(assets|files)/" "public, max-age=31536000, immutable";' in text


def test_caddy_sets_them_in_the_block_of_the_site(run: Run, site: SiteFolder) -> None:
    text = printed(run, site, "caddy")
    assert dict(re.findall(r'^\t(\S+) "(.*)"$', text, re.MULTILINE)) == expected(site)
    assert "@octavo_hashed path /docs/_octavo/assets/* /docs/_octavo/files/*\n" in text


def test_cloudfront_gets_a_policy_of_its_own_kind(run: Run, site: SiteFolder) -> None:
    policy = json.loads(printed(run, site, "cloudfront"))
    security, custom = policy["SecurityHeadersConfig"], policy["CustomHeadersConfig"]
    assert security["ContentSecurityPolicy"]["ContentSecurityPolicy"] == site.manifest().content_policy
    assert security["FrameOptions"]["FrameOption"] == "SAMEORIGIN"
    assert custom["Quantity"] == len(custom["Items"]) == 2
    assert policy["Name"] == "octavo-docs"


def test_site_that_was_not_built_is_explained(run: Run, make_site: MakeSite) -> None:
    site = make_site(HOME)
    result = run("headers", site.root)
    assert (result.code, result.out) == (2, "")
    assert "contains no published site. Build it first: `octavo build" in result.err


def test_builds_publish_what_netlify_reads_unless_the_author_has_a_file_of_their_own(
    run: Run, site: SiteFolder, make_site: MakeSite
) -> None:
    assert (site.out / "_headers").read_text() == printed(run, site, "netlify")
    assert "_headers" in site.manifest().files
    assert not isinstance(Addresses(site.manifest()).resolve(b"/docs/_headers"), FoundFile)
    own = make_site({**HOME, "static/_headers": "/*\n  X-Mine: 1\n"}, name="own")
    own.build()
    assert (own.out / "_headers").read_text() == "/*\n  X-Mine: 1\n"


FRAME = "_octavo/assets/diagram-frame-Ab1-_9.html"


@pytest.fixture
def framed() -> Manifest:
    """A build in which Mermaid draws a diagram in the browser, with a policy as pages with styles have it."""
    return Manifest(
        build="1",
        base_url="/docs/",
        files={"index.html": ManifestFile("x", 1), FRAME: ManifestFile("y", 1)},
        routes={},
        redirects={},
        not_found="404.html",
        content_policy="default-src 'self'; style-src 'self' 'sha256-abc=' https://fonts.example 'unsafe-hashes'; img-src data:",
    )


RELAXED = "default-src 'self'; style-src 'self' https://fonts.example 'unsafe-inline'; img-src data:"


class TestFramesOfDiagrams:
    """Mermaid writes inline styles, which the policy of the pages forbids; nothing in the frame loads or reaches anything."""

    def test_nginx_gives_them_a_policy_of_their_own(self, framed: Manifest) -> None:
        text = write_headers(framed, "nginx")
        assert (
            f'    default "{framed.content_policy}";\n    "~^/docs/_octavo/assets/diagram-frame-" "{FRAME_POLICY}";'
            in text
        )
        assert re.findall(r"add_header Content-Security-Policy (.*) always;", text) == ["$octavo_policy"]

    def test_caddy_gives_them_a_policy_of_their_own(self, framed: Manifest) -> None:
        lines = write_headers(framed, "caddy").splitlines()
        assert [line for line in lines if "Content-Security-Policy" in line] == [
            f'header @octavo_frames Content-Security-Policy "{FRAME_POLICY}"',
            f'header @octavo_pages Content-Security-Policy "{framed.content_policy}"',
        ]
        assert lines[lines.index("@octavo_pages {") + 1] == "\tnot path /docs/_octavo/assets/diagram-frame-*"

    def test_hosts_that_join_the_headers_of_rules_allow_styles(self, framed: Manifest) -> None:
        blocks = write_headers(framed, "netlify").split("\n/docs/")
        assert f"  Content-Security-Policy: {RELAXED}" in blocks[1].splitlines()
        assert blocks[-1] == f"_octavo/assets/diagram-frame-*\n  Content-Security-Policy: {FRAME_POLICY}\n"

    def test_host_with_one_policy_for_all_allows_styles(self, framed: Manifest) -> None:
        security = json.loads(write_headers(framed, "cloudfront"))["SecurityHeadersConfig"]
        assert security["ContentSecurityPolicy"]["ContentSecurityPolicy"] == RELAXED

    @pytest.mark.parametrize("host", ["netlify", "nginx", "caddy", "cloudfront"])
    def test_sites_without_them_allow_no_inline_styles(self, framed: Manifest, host: str) -> None:
        plain = msgspec.structs.replace(framed, files={"index.html": ManifestFile("x", 1)})
        text = write_headers(plain, host)
        assert "'unsafe-inline'" not in text
        assert "diagram-frame" not in text
