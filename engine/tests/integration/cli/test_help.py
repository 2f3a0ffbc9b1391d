"""Help that is worth reading, and what all commands share."""

from __future__ import annotations

import pytest

from engine.tests.integration.cli.conftest import Run, run_process
from octavo._version import __version__


def test_help_shows_how_to_begin_and_what_exit_codes_mean(run: Run) -> None:
    result = run("--help")
    assert result.code == 0
    assert result.out == (
        "Usage: octavo [OPTIONS] COMMAND [ARGS]...\n\n"
        "  Octavo makes documentation sites: Markdown in, a fast static React site out.\n\n"
        "  A site is a folder that holds an octavo.toml:\n"
        "    octavo new my-docs          make one that works\n"
        "    octavo serve my-docs        build it and serve it on http://localhost:3000\n"
        "    octavo dev my-docs          the same while you write, with live updates\n"
        "    octavo build my-docs        write it to my-docs/build, for any static host\n"
        "    octavo check my-docs        find what is wrong with it, write nothing\n"
        "    octavo explain broken-link  say what a finding means, and what to do\n"
        "    octavo deploy github-pages  write the files that publish it on a host\n"
        "    octavo import my-site       bring a site of Docusaurus, MkDocs, VitePress, …\n\n"
        "  Exit codes:\n"
        "    0    all is well\n"
        "    1    the content has problems, or the output cannot be written\n"
        "    2    the command, the configuration or the server's address is wrong\n"
        "    130  stopped with Ctrl+C; a server ends with 0\n\n"
        "Options:\n"
        "  -V, --version  Show the version and exit.\n"
        "  -h, --help     Show this message and exit.\n\n"
        "Commands:\n"
        "  build         Build a site into a folder of static files.\n"
        "  bundle        Copy npm packages for components (needs Node).\n"
        "  check         Find what is wrong with a site; write nothing.\n"
        "  clean         Remove what builds have written.\n"
        "  deploy        Write the files that publish a site on a host.\n"
        "  dev           Serve a site while it is written; open pages follow each save.\n"
        "  doctor        Say what an import of a site would lose.\n"
        "  explain       Say what a finding, a setting or a key means.\n"
        "  feedback      Show which pages readers found helpful.\n"
        "  headers       Print the headers of a built site, for another host.\n"
        "  import        Bring a site of another engine, or data of other programs.\n"
        "  mcp           Serve a site to programs, by the Model Context Protocol.\n"
        "  new           Make a small site that works.\n"
        "  run           Run a command of one of the site's extensions.\n"
        "  schema        Print a JSON Schema for editors.\n"
        "  search        Report on searches; send records to a search engine.\n"
        "  serve         Build a site and serve it.\n"
        "  translations  List missing and outdated translations.\n"
        "  types         Write types for components and slots, for editors.\n"
        "  versions      List versions, or prepare a release.\n"
    )


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("build", ["--out PATH", "--precompress", "-q, --quiet", "--url TEXT", "--base-url TEXT", "--json"]),
        ("check", ["--format [text|json|github]", "--strict", "--baseline", "--update-addresses"]),
        ("dev", ["--host TEXT", "--port"]),
        ("headers", ["--format [netlify|nginx|caddy|cloudfront]", "--out PATH"]),
        ("serve", ["--host TEXT", "--port", "--out PATH", "--no-build", "--open", "--trusted-proxy TEXT"]),
        ("clean", ["--out PATH"]),
        ("explain", []),
        ("schema", ["settings", "front-matter", "search-rules"]),
        ("new", []),
    ],
)
def test_help_of_each_command_names_its_options(run: Run, command: str, options: list[str]) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert result.out.startswith(f"Usage: octavo {command} [OPTIONS]")
    assert [option for option in options if option not in result.out] == []


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version_is_told(run: Run, flag: str) -> None:
    assert run(flag) == (0, f"octavo {__version__}\n", "")


def test_command_is_asked_for_where_there_is_none(run: Run) -> None:
    result = run()
    assert result.code == 2
    assert "Usage: octavo" in result.err


def test_package_is_a_command() -> None:
    assert run_process("--version") == (0, f"octavo {__version__}\n", "")
