"""Options of the server that are given to a subcommand."""

from __future__ import annotations

import click
import pytest

from service_guard.options import refuse_server_options


@pytest.mark.parametrize(
    ("arguments", "environment", "refused"),
    [
        (["work"], {}, ""),
        (["--data", "x", "work"], {}, ""),
        (["--port", "1", "work"], {}, "--port"),
        (["work"], {"PORT": "2"}, "--port"),
        (["work"], {"DATA": "y"}, ""),
    ],
)
def test_option_of_the_server_is_refused_before_a_subcommand(
    arguments: list[str], environment: dict[str, str], refused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    @click.group()
    @click.option("--port", envvar="PORT", default=3)
    @click.option("--data", envvar="DATA", default="d")
    @click.pass_context
    def group(context: click.Context, port: int, data: str) -> None:
        del port, data
        refuse_server_options(context, shared=["data"])

    group.command("work")(lambda: None)
    if refused:
        with pytest.raises(click.UsageError) as caught:
            group.main(arguments, standalone_mode=False)
        assert caught.value.message == f"{refused} is an option of the server, and `work` starts none; leave it out."
    else:
        group.main(arguments, standalone_mode=False)
