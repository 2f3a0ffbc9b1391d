"""V8 in this process and in another one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from octavo.errors import RenderError
from octavo.rendering.engine import AheadEngine, Engines, LocalEngine
from octavo.rendering.theme import Theme, load_theme
from tests.support.paths import REPOSITORY

ahead_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forking is safe on Linux only")


def theme_of(script: str) -> Theme:
    """A theme whose server bundle is a script of ours."""
    return msgspec.structs.replace(load_theme(), server_script=script)


ECHO = """
globalThis.Octavo = Object.fromEntries(
  ["loadSite", "loadSidebar", "renderPages", "renderIslands", "renderNavbar", "renderSidebar", "renderFooter",
   "renderAnnouncements"].map((name) => [name, (...words) => {
     if (words[0] === "fail") throw new Error("no such page");
     return [name, ...words.map(String)].join(" ");
   }]))
"""


@pytest.fixture
def ahead() -> Iterator[AheadEngine]:
    engine = AheadEngine(theme_of(ECHO))
    yield engine
    engine.close()


@ahead_only
def test_engine_started_ahead_answers_as_one_in_this_process_does(ahead: AheadEngine) -> None:
    local = LocalEngine(theme_of(ECHO))
    for arguments in (["renderPages", "ä € 😀 <b>"], ["renderNavbar", "site", None, ""], ["loadSite", "x" * 1_000_000]):
        assert ahead.call(*arguments) == local.call(*arguments)


@ahead_only
def test_failure_of_the_theme_comes_back_and_the_engine_goes_on(ahead: AheadEngine) -> None:
    with pytest.raises(RenderError, match=r"The theme failed in renderPages: .*no such page"):
        ahead.call("renderPages", "fail")
    assert ahead.call("renderFooter", "a") == "renderFooter a"


@ahead_only
def test_bundle_that_cannot_run_is_told_to_the_first_call() -> None:
    engine = AheadEngine(theme_of("throw new Error('broken bundle')"))
    try:
        with pytest.raises(RenderError, match="broken bundle"):
            engine.call("renderPages", "[]")
    finally:
        engine.close()


@ahead_only
def test_engine_that_has_ended_is_an_error_and_no_endless_wait(ahead: AheadEngine) -> None:
    ahead.close()
    with pytest.raises(RenderError, match="has ended"):
        ahead.call("renderPages", "[]")


@ahead_only
def test_closed_engine_leaves_no_process_behind(ahead: AheadEngine) -> None:
    pid = ahead._process.pid
    assert pid is not None
    ahead.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_engines_give_one_of_this_process_unless_one_was_started() -> None:
    engines = Engines(theme_of(ECHO))
    assert isinstance(engines.take(), LocalEngine)
    engines.start_ahead()
    try:
        assert isinstance(engines.take(), AheadEngine if AheadEngine.is_possible() else LocalEngine)
    finally:
        engines.close()
    assert isinstance(engines.take(), LocalEngine)


KEPT = """
import atexit
from engine.tests.integration.pipeline.test_engine import ECHO, theme_of
from octavo.rendering.engine import LocalEngine

def look():
    # Registered first, so it runs last.
    try:
        engine.call("renderFooter", "late")
    except BaseException as error:
        print("closed:", type(error).__name__)
    else:
        print("open")

atexit.register(look)
engine = LocalEngine(theme_of(ECHO))
print(engine.call("renderFooter", "early"))
"""


def test_engine_that_is_kept_until_the_end_is_closed_before_python_clears_its_modules() -> None:
    """The process waited for ever in two of five runs: V8 had ended when the engine was closed."""
    done = subprocess.run(
        [sys.executable, "-c", KEPT], cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stdout.splitlines()[0] == "renderFooter early", done.stderr
    assert done.stdout.splitlines()[1].startswith("closed: ")
    assert done.returncode == 0
