"""What browsers load of components: a file for each module, and its style sheets, under names with their hashes."""

from __future__ import annotations

import json
import posixpath
import re

from octavo.components.modules import Module, Modules
from octavo.stylesheets import with_base

FOLDER = "_octavo/components"
_HASH = 10
_IMPORT = re.compile(r'import \* as (m\d+) from ("(?:[^"\\]|\\.)*");')
_NAMED = re.compile(r'("(?:[^"\\]|\\.)*"):(m\d+)')
_HEAD = re.compile(
    r'(?P<imports>(?:import \* as m\d+ from "(?:[^"\\]|\\.)*";)*)export const path=(?P<path>"(?:[^"\\]|\\.)*");'
    r"export const needs=\{(?P<named>[^\n]*)\};export function run\("
)


class PublishedModules:
    """Writes the files of modules."""

    def __init__(self, modules: Modules, base_url: str) -> None:
        self._modules = modules
        self._base_url = base_url

    def address(self, path: str) -> str:
        """Name the file of a module, from the published folder."""
        module = self._modules.all[path]
        name = posixpath.splitext(path)[0].replace("/", "-")
        ending = "css" if module.is_style else "js"
        return f"{FOLDER}/{name}-{self._modules.key(path)[:_HASH]}.{ending}"

    def scripts(self, path: str) -> dict[str, bytes]:
        """Write a module and those that it imports, with their source maps: address → content."""
        files: dict[str, bytes] = {}
        for module in self._modules.below(path):
            if not module.is_style:
                address = self.address(module.path)
                files[address] = self._script(module).encode()
                files[f"{address}.map"] = _source_map(module).encode()
        return files

    def styles(self, path: str) -> dict[str, bytes]:
        """Write the style sheets that a module and those that it imports name, in the order of the cascade."""
        return {
            self.address(module.path): with_base(module.code, module.loads, self._base_url).encode()
            for module in self._modules.below(path)
            if module.is_style
        }

    def _script(self, module: Module) -> str:
        """Write a module for browsers: those that it needs are loaded beside it, and it runs when it is asked to."""
        needs = [other for other in module.needs.values() if not self._modules.all[other].is_style]
        numbers = {other: number for number, other in enumerate(dict.fromkeys(needs))}
        imports = "".join(
            f"import * as m{number} from {json.dumps('./' + posixpath.basename(self.address(other)))};"
            for other, number in numbers.items()
        )
        # Modules that import each other see one another when they run, not before.
        named = ",".join(
            f"{json.dumps(name)}:m{numbers[other]}" for name, other in module.needs.items() if other in numbers
        )
        head = f"{imports}export const path={json.dumps(module.path)};export const needs={{{named}}};"
        # The code begins on the second line, see `originOf` in the theme.
        file = posixpath.basename(self.address(module.path))
        return (
            f"{head}export function run(exports,require,module){{\n{module.code}\n}}\n//# sourceMappingURL={file}.map\n"
        )


def offline_script(address: str, script: str) -> str:
    """Write a module for pages that are opened from disk, where browsers load classic scripts only.

    Args:
        address: Of the module, from the published folder.
        script: As `PublishedModules.scripts` writes it.

    Returns:
        A call of `octavoFile` with an object of the same names; `needs` has addresses in the place of modules.
    """
    head = _HEAD.match(script)
    if head is None:
        raise AssertionError(f"{address} is not a module of this version")
    files = dict(_IMPORT.findall(head["imports"]))
    needs = {
        json.loads(name): posixpath.join(posixpath.dirname(address), posixpath.basename(json.loads(files[module])))
        for name, module in _NAMED.findall(head["named"])
    }
    body = script[head.end() :].rpartition("\n//# sourceMappingURL=")[0]
    return f"octavoFile({json.dumps(address)},{{path:{head['path']},needs:{json.dumps(needs)},run:function({body}}})\n"


def _source_map(module: Module) -> str:
    return json.dumps(
        {
            "version": 3,
            "sources": [module.path],
            "names": [],
            # The head is a line without a source.
            "mappings": f";{module.mappings}",
            # The same without the head, for the theme.
            "authored": module.mappings,
        },
        separators=(",", ":"),
    )
