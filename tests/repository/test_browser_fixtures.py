"""Fixtures that drive a browser leave no event loop behind for the tests of other folders."""

from __future__ import annotations

import ast

from tests.repository.files import text_files


def _scope(function: ast.FunctionDef) -> str:
    """The scope of a fixture; of other functions too it is "function"."""
    given = [one for call in function.decorator_list if isinstance(call, ast.Call) for one in call.keywords]
    return next((ast.literal_eval(one.value) for one in given if one.arg == "scope"), "function")


def test_browser_drivers_end_with_the_tests_of_their_folder() -> None:
    """Until Playwright's synchronous driver has ended, `asyncio.run` fails in every later test of the same process."""
    scopes = {
        f"{path}::{function.name}": _scope(function)
        for path, text in text_files().items()
        if path.endswith(".py") and "/tests/" in f"/{path}"
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        and any(
            isinstance(node, ast.Call) and ast.unparse(node.func) == "sync_playwright" for node in ast.walk(function)
        )
    }

    assert scopes
    assert "session" not in scopes.values(), scopes
