"""`octavo deploy` writes files that the hosts accept, and that publish the site."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

import click
import httpx
import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft7Validator
from py_mini_racer import MiniRacer

from octavo.cli.main import octavo as program
from octavo.config import load_config
from octavo.errors import UsageError
from octavo.hosting import TARGETS, DeployPlan, plan_files, write_files
from tests.deploy.balancer import find_nginx, free_port, run_nginx
from tests.support.actionlint import lint
from tests.support.published import publish

CONFIG = 'title = "Kiln & \\"Co\\""\nurl = "https://docs.kiln.example"\n'
OCTAVO = re.compile(r"(?<![\w.-])octavo (build|deploy|headers|serve)\b([^\n]*)")
"""A command of Octavo in a script, a workflow or a comment, and the rest of its line."""

REQUIREMENTS = PurePosixPath("requirements-docs.txt")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "repository" / "manual"
    (folder / "docs").mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    (folder / "octavo.toml").write_text(CONFIG)
    (folder / "docs" / "index.md").write_text("# Kiln\n\nIt burns.\n")
    return folder


def plan(host: str, site: Path) -> DeployPlan:
    return plan_files(TARGETS[host], site, load_config(site), "main")


def written(host: str, site: Path) -> list[Path]:
    made = plan(host, site)
    write_files(made, replaces=False)
    return [made.root / path for path in made.files if path != REQUIREMENTS]


def schema(name: str) -> Draft7Validator:
    text = files("check_jsonschema").joinpath("builtin_schemas", "vendor", f"{name}.json").read_text(encoding="utf-8")
    return Draft7Validator(json.loads(text))


@pytest.mark.parametrize("host", TARGETS)
def test_files_are_whole_and_call_commands_that_exist(host: str, site: Path) -> None:
    made = plan(host, site)
    assert made.root == site.parent
    assert (REQUIREMENTS in made.files) == TARGETS[host].needs_requirements
    called = 0
    for text in [*made.files.values(), *made.next_steps]:
        assert not re.search(r"@[A-Z0-9_]+@", text)
        for name, rest in OCTAVO.findall(text):
            command = program.get_command(click.Context(program), name)
            assert command is not None, name
            known = {option for parameter in command.params for option in parameter.opts}
            assert set(re.findall(r"--[a-z][\w-]*", rest.partition("#")[0])) <= known, f"{name}{rest}"
            called += 1
    assert called


@pytest.mark.parametrize("host", ["github-pages", "cloudflare-pages", "previews"])
def test_workflows_of_github_have_no_findings(host: str, site: Path) -> None:
    workflows = [path for path in written(host, site) if path.suffix == ".yml"]
    assert workflows
    assert lint(*workflows) == []


@pytest.mark.parametrize(("host", "kind"), [("gitlab-pages", "gitlab-ci"), ("read-the-docs", "readthedocs")])
def test_pipelines_fit_the_schemas_of_their_hosts(host: str, kind: str, site: Path) -> None:
    [path] = written(host, site)
    text = path.read_text(encoding="utf-8")
    assert list(schema(kind).iter_errors(yaml.safe_load(text))) == []
    wrong: dict[str, Any] = yaml.safe_load(text.replace("script:", "scripts:").replace("version: 2", "version: two"))
    assert list(schema(kind).iter_errors(wrong)), "the schema finds no mistake"


def test_addresses_of_gitlab_and_read_the_docs_are_taken_apart(site: Path) -> None:
    """Their variables hold whole addresses; the build takes the host and the path apart."""
    [gitlab] = written("gitlab-pages", site)
    *_, origin, build = yaml.safe_load(gitlab.read_text())["pages"]["script"]
    wanted = ["--url", "https://group.gitlab.io", "--base-url", "/project/"]
    assert arguments(f"{origin}\n{build}", CI_PAGES_URL="https://group.gitlab.io/project")[-4:] == wanted
    [hosted] = written("read-the-docs", site)
    *_, build = yaml.safe_load(hosted.read_text())["build"]["commands"]
    got = arguments(
        build, READTHEDOCS_CANONICAL_URL="https://kiln.readthedocs.io/en/latest/", READTHEDOCS_OUTPUT="/out"
    )
    assert got[-4:] == ["--url", "https://kiln.readthedocs.io", "--base-url", "/en/latest/"]
    assert got[:4] == ["build", "manual", "--out", "/out/html"]


def arguments(script: str, **variables: str) -> list[str]:
    """The arguments that a script gives `octavo`."""
    shell = "octavo() { printf '%s\\n' \"$@\"; }\nset -eu\n" + script
    done = subprocess.run(["sh", "-c", shell], env=variables, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


def test_toml_of_netlify_and_cloudflare_is_what_they_read(site: Path) -> None:
    [netlify] = written("netlify", site)
    settings = tomllib.loads(netlify.read_text(encoding="utf-8"))
    assert settings["build"]["publish"] == "manual/build"
    assert '--url "$DEPLOY_PRIME_URL"' in settings["context"]["deploy-preview"]["command"]
    [wrangler] = [path for path in written("cloudflare-pages", site) if path.suffix == ".toml"]
    settings = tomllib.loads(wrangler.read_text(encoding="utf-8"))
    assert settings.pop("compatibility_date") == "2026-11-01"
    assert settings == {"name": "kiln-co", "pages_build_output_dir": "manual/build"}


def test_script_for_a_bucket_uploads_in_order(site: Path, tmp_path: Path) -> None:
    script = next(path for path in written("s3-cloudfront", site) if path.suffix == ".sh")
    (site / ".octavo").mkdir()
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("aws", "octavo"):
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "$CALLS"\n')
        (programs / name).chmod(0o755)
    calls = tmp_path / "calls"
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "CALLS": str(calls), "BUCKET": "b", "DISTRIBUTION": "d"}
    subprocess.run([script], env={**environment, "HEADERS_POLICY": "p"}, cwd=tmp_path, check=True, timeout=60)
    made = [" ".join(line.split()[:4]) for line in calls.read_text().splitlines()]
    assert made == [
        "octavo build manual",
        "aws s3 sync manual/build/_octavo",
        "aws s3 sync manual/build",
        "octavo headers manual --format",
        "aws cloudfront get-response-headers-policy --id",
        "aws cloudfront update-response-headers-policy --id",
        "aws cloudfront create-invalidation --distribution-id",
    ]
    no_bucket = {name: value for name, value in environment.items() if name != "BUCKET"}
    failed = subprocess.run([script], env=no_bucket, capture_output=True, text=True, check=False, timeout=60)
    assert failed.returncode != 0
    assert "name the bucket in the variable BUCKET" in failed.stderr


def test_function_of_cloudfront_finds_files_of_routes(site: Path) -> None:
    script = next(path for path in written("s3-cloudfront", site) if path.suffix == ".js")
    with MiniRacer() as v8:
        v8.eval(script.read_text(encoding="utf-8"))
        asked = ("/", "/guide", "/a/b/", "/_octavo/assets/page-1a2b.js")
        found = {uri: v8.eval(f"handler({{request: {{uri: {json.dumps(uri)}}}}}).uri") for uri in asked}
    assert found == {
        "/": "/index.html",
        "/guide": "/guide/index.html",
        "/a/b/": "/a/b/index.html",
        "/_octavo/assets/page-1a2b.js": "/_octavo/assets/page-1a2b.js",
    }


@pytest.mark.skipif(find_nginx() is None, reason="nothing is tried behind nginx: it is not installed")
@pytest.mark.parametrize("host", ["nginx", "nginx-password"])
def test_nginx_serves_the_site(host: str, site: Path, tmp_path: Path) -> None:
    [path] = written(host, site)
    out = publish(tmp_path / "out")
    port = free_port()
    settings = path.read_text(encoding="utf-8").replace("root /srv/kiln-co;", f"root {out};")
    settings = re.sub(r"^ *listen [\d.:]*;$", f"listen 127.0.0.1:{port};", settings, flags=re.MULTILINE)
    settings = settings.replace("    listen [::]:80;\n", "").replace("docs.kiln.example", "127.0.0.1")
    users = tmp_path / "users"
    # The hash of "secret", in the form that nginx reads itself.
    users.write_text("reader:{PLAIN}secret\n")
    settings = settings.replace("/etc/nginx/kiln-co.htpasswd", str(users))
    with run_nginx(tmp_path / "nginx", settings, port) as address, httpx.Client(base_url=address, timeout=60) as client:
        if host == "nginx-password":
            assert client.get("/").status_code == 401
            client.auth = httpx.BasicAuth("reader", "secret")
        answer = client.get("/", follow_redirects=True)
        assert answer.status_code == 200
        assert "<title>Home</title>" in answer.text
        assert ("private" in answer.headers.get("cache-control", "")) == (host == "nginx-password")
        assert client.get("/nothing").status_code == 404
        assert client.get("/_octavo/manifest.json").status_code == 404


def test_files_of_the_author_stay(site: Path) -> None:
    (site.parent / "netlify.toml").write_text("[build]\n")
    made = plan("netlify", site)
    with pytest.raises(UsageError, match=r"netlify\.toml .* would be replaced"):
        write_files(made, replaces=False)
    assert not (site.parent / REQUIREMENTS).exists(), "all or none"
    (site.parent / REQUIREMENTS).write_text("octavo\nmore\n")
    assert write_files(made, replaces=True) == [PurePosixPath("netlify.toml")]
    assert (site.parent / REQUIREMENTS).read_text() == "octavo\nmore\n"
    assert write_files(made, replaces=False) == []


def test_words_that_a_shell_reads_are_refused(site: Path) -> None:
    odd = site.parent / "my $(docs)"
    shutil.copytree(site, odd)
    with pytest.raises(UsageError, match="folder"):
        plan("netlify", odd)
    with pytest.raises(UsageError, match="branch"):
        plan_files(TARGETS["github-pages"], site, load_config(site), 'main"]')


def test_command_says_what_it_wrote_and_what_remains(site: Path) -> None:
    done = CliRunner().invoke(program, ["deploy", "github-pages", str(site)], catch_exceptions=False)
    assert f"Wrote {site.parent / '.github' / 'workflows' / 'docs.yml'}" in done.output
    assert "2. Commit the files and push them to main." in done.output
    assert [line.split()[0] for line in CliRunner().invoke(program, ["deploy"]).output.splitlines()] == list(TARGETS)
    with pytest.raises(UsageError, match="not a host that is known"):
        CliRunner().invoke(program, ["deploy", "geocities", str(site)], catch_exceptions=False)
