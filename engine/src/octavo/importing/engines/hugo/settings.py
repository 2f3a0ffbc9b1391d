"""Settings of Hugo: one file, or a folder of them, some for one language each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from octavo.errors import UsageError
from octavo.importing.common import as_dict
from octavo.importing.model import Recognized
from octavo.importing.settings.files import read_json, read_toml, read_yaml

_KEYS = {
    name.lower(): name
    for name in ("baseURL", "contentDir", "defaultContentLanguage", "defaultContentLanguageInSubdir", "disablePathToLower", "enableEmoji", "languageCode",
                 "languageName", "languages", "markup", "menu", "menus", "module", "params", "permalinks", "staticDir", "title", "uglyURLs", "weight")
}  # fmt: skip
_SUFFIXES = (".toml", ".yaml", ".yml", ".json")
_WHOLE = ("hugo", "config")
"""Names of files that hold settings of all kinds; others hold the table of their name."""


def load_settings(found: Recognized) -> dict[str, Any]:
    """Read the settings; those of a folder of settings are read from all its files."""
    path = found.config
    if path is None:
        raise UsageError(f"{found.home} contains no settings of Hugo.")
    config = _canonical(_read(path))
    if path.parent.name == "_default":
        _add_folder(config, path)
    return _canonical(config)


def _add_folder(config: dict[str, Any], main: Path) -> None:
    """Add what the other files of the folder say.

    `menus.zh.toml` is the menu of one language, and `languages.zh.toml` all that is said of it: there, the second part of the
    name is a language whether or not another file has it.
    """
    others = [path for path in sorted(main.parent.iterdir()) if path != main and path.suffix in _SUFFIXES]
    of_languages: list[tuple[str, str, Path]] = []
    for path in others:
        key, _, language = path.stem.partition(".")
        key = _KEYS.get(key.lower(), key)
        if language:
            of_languages.append((key, language, path))
        elif key not in _WHOLE:
            config[key] = {**as_dict(config.get(key)), **_read(path)}
    for _, language, path in (one for one in of_languages if one[0] == "languages"):
        languages = config.setdefault("languages", {})
        languages[language] = {**as_dict(languages.get(language)), **_read(path)}
    for key, language, path in (one for one in of_languages if one[0] != "languages"):
        if (languages := as_dict(config.get("languages"))).get(language) is not None:
            own = _read(path) if key in _WHOLE else {key: _read(path)}
            config["languages"][language] = {**as_dict(languages[language]), **own}


def _canonical(table: dict[str, Any]) -> dict[str, Any]:
    """Write the names of settings as they are documented: Hugo takes them in any capitals."""
    found = {_KEYS.get(key.lower(), key): value for key, value in table.items()}
    languages = as_dict(found.get("languages"))
    if languages:
        found["languages"] = {
            name: _canonical(one) if isinstance(one, dict) else one for name, one in languages.items()
        }
    return found


def _read(path: Path) -> dict[str, Any]:
    return as_dict({".toml": read_toml, ".json": read_json}.get(path.suffix, read_yaml)(path))
