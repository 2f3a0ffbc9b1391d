"""Commands of npm, written for other package managers: blocks of code with the word `npm2yarn`."""

from __future__ import annotations

from collections.abc import Callable, Container

from octavo.lazy import regex as re

MANAGERS = ("npm", "yarn", "pnpm", "bun")
"""In the order of the tabs."""
LABELS = {"npm": "npm", "yarn": "Yarn", "pnpm": "pnpm", "bun": "Bun"}

_COMMAND = re.compile(
    r"(?P<before>^|[\n;|&(`$]|\bsudo )(?P<space>[ \t]*)(?P<command>npm|npx)(?P<rest>(?![\w.-])[^\n&|;)`]*)"
)
_SAVE = {
    "yarn": {"--save-dev": "--dev", "-D": "--dev", "--save-exact": "--exact", "-E": "--exact"}
    | {"--save-optional": "--optional", "-O": "--optional", "--save-peer": "--peer"},
    "pnpm": {},
    "bun": {"--save-dev": "--dev", "-D": "--dev", "--save-exact": "--exact", "-E": "--exact"}
    | {"--save-optional": "--optional", "-O": "--optional", "--save-peer": "--peer"},
}
"""Options of adding a package."""
_DROPPED = frozenset({"--save", "-S", "--save-prod", "-P"})
_ADDING = frozenset({"install", "i", "in", "ins", "add"})
_REMOVING = frozenset({"uninstall", "remove", "rm", "r", "un", "unlink"})
_UPDATING = frozenset({"update", "up", "upgrade"})
_SCRIPTS = frozenset({"start", "test", "stop", "restart", "t", "tst"})
_EXECUTE = {"yarn": "yarn dlx", "pnpm": "pnpm dlx", "bun": "bunx"}


def commands_of_fumadocs(info: str, code: str, extensions: Container[str]) -> tuple[str, str]:
    """Write a block of Fumadocs (`npm`, `package-install`) as one with the word `npm2yarn`; others stay as they are.

    Args:
        info: What is behind the fence.
        code: Of the block. That of `package-install` may be the names of packages alone.
        extensions: Of the file.
    """
    language, _, rest = info.partition(" ")
    if language not in ("npm", "package-install") or "nextra" not in extensions:
        return info, code
    if language == "package-install" and not re.match(r"\s*np[mx]\b", code):
        code = f"npm install {code.lstrip()}"
    has_commands = any(convert(code, manager) != code for manager in MANAGERS)
    return (f"sh npm2yarn {rest}" if has_commands else f"sh {rest}").strip(), code


def convert(code: str, manager: str) -> str:
    """Write the commands of a block for another package manager; what is none of npm's stays as it is."""
    if manager == "npm":
        return code

    def command(match: re.Match[str]) -> str:
        rest = match["rest"]
        words = rest.split()
        tail = rest[len(rest.rstrip()) :]
        if words and words[0].startswith("#"):
            return match[0]
        comment = ""
        if " #" in rest:
            at = next(i for i, word in enumerate(words) if word.startswith("#"))
            words, comment = words[:at], " " + " ".join(words[at:])
        written = _execute(words, manager) if match["command"] == "npx" else _npm(words, manager)
        return f"{match['before']}{match['space']}{written}{comment}{tail}"

    return _COMMAND.sub(command, code)


def _execute(words: list[str], manager: str) -> str:
    return " ".join([_EXECUTE[manager], *(word for word in words if word not in ("-y", "--yes"))])


def _npm(words: list[str], manager: str) -> str:
    if not words:
        return manager
    name, arguments = words[0], words[1:]
    for names, rule in _RULES:
        if name in names:
            return rule(arguments, manager)
    if name in _SCRIPTS:
        script = "test" if name in ("t", "tst") else name
        return (
            _run([script, *arguments], manager) if manager == "bun" else " ".join([manager, script, *_bare(arguments)])
        )
    return " ".join([manager, name, *arguments])


def _add(arguments: list[str], manager: str) -> str:
    packages = [word for word in arguments if not word.startswith("-")]
    is_global = "-g" in arguments or "--global" in arguments
    if not packages:
        return " ".join([manager, "install", *(word for word in arguments if word not in _DROPPED)])
    options = [word for word in arguments if word not in _DROPPED and word not in ("-g", "--global")]
    options = [_SAVE[manager].get(word, word) for word in options]
    if is_global and manager == "yarn":
        return " ".join(["yarn global add", *options])
    return " ".join([manager, "add", *(["--global"] if is_global else []), *options])


def _remove(arguments: list[str], manager: str) -> str:
    is_global = "-g" in arguments or "--global" in arguments
    packages = [word for word in arguments if not word.startswith("-")]
    if is_global and manager == "yarn":
        return " ".join(["yarn global remove", *packages])
    return " ".join([manager, "remove", *(["--global"] if is_global else []), *packages])


def _update(arguments: list[str], manager: str) -> str:
    return " ".join([manager, "upgrade" if manager == "yarn" else "update", *arguments])


def _clean_install(arguments: list[str], manager: str) -> str:
    return " ".join([manager, "install", "--frozen-lockfile", *arguments])


def _run(arguments: list[str], manager: str) -> str:
    if manager == "yarn":
        return " ".join(["yarn", *_bare(arguments)]) if arguments else "yarn run"
    return " ".join([manager, "run", *_bare(arguments)])


def _create(arguments: list[str], manager: str) -> str:
    packages = [word for word in arguments if not word.startswith("-")]
    if not packages:
        return " ".join([manager, "init", *arguments])
    if manager == "yarn":  # the classic one takes no version
        arguments = [re.sub(r"(?<=.)@latest\Z", "", word) for word in arguments]
    return " ".join([manager, "create", *_bare(arguments)])


def _exec(arguments: list[str], manager: str) -> str:
    start = {"yarn": "yarn", "pnpm": "pnpm exec", "bun": "bunx"}[manager]
    return " ".join([start, *_bare(arguments)])


def _bare(arguments: list[str]) -> list[str]:
    """Arguments without the `--` that npm wants before those of a script."""
    return [word for word in arguments if word != "--"]


_RULES: tuple[tuple[frozenset[str], Callable[[list[str], str], str]], ...] = (
    (_ADDING, _add),
    (_REMOVING, _remove),
    (_UPDATING, _update),
    (frozenset({"ci", "clean-install"}), _clean_install),
    (frozenset({"run", "run-script"}), _run),
    (frozenset({"init", "create", "innit"}), _create),
    (frozenset({"exec", "x"}), _exec),
)
