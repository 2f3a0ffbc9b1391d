"""`octavo headers`: what other hosts must send."""

from __future__ import annotations

import json
import re

import pytest

from engine.tests.integration.cli.conftest import Run
from octavo.host_headers import SECURITY_HEADERS
from octavo.server.addresses import Addresses, Found
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
    assert "holds no published site. Build it first: `octavo build" in result.err


def test_builds_publish_what_netlify_reads_unless_the_author_has_a_file_of_their_own(
    run: Run, site: SiteFolder, make_site: MakeSite
) -> None:
    assert (site.out / "_headers").read_text() == printed(run, site, "netlify")
    assert "_headers" in site.manifest().files
    assert not isinstance(Addresses(site.manifest()).resolve(b"/docs/_headers"), Found)
    own = make_site({**HOME, "static/_headers": "/*\n  X-Mine: 1\n"}, name="own")
    own.build()
    assert (own.out / "_headers").read_text() == "/*\n  X-Mine: 1\n"
