"""What browsers load of components: a file for each module, and its style sheets, under names with their hashes."""

from __future__ import annotations

import json
import posixpath

from octavo.components.component import HASH, PUBLISHED, as_import, class_ending, file_address, published_name
from octavo.components.modules import Module, Modules
from octavo.lazy import regex as re
from octavo.stylesheets import MODULE_ENDING, scope_sheet, with_addresses

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
        name = published_name(path)
        ending = "css" if module.is_style else "js"
        return f"{PUBLISHED}/{name}-{self._modules.key(path)[:HASH]}.{ending}"

    def scripts(self, path: str) -> dict[str, bytes]:
        """Write a module and those that it imports, with their source maps: address → content."""
        files: dict[str, bytes] = {}
        modules = self._modules.below(path)
        of_styles = {needed for module in modules if module.is_style for needed in module.needs.values()}
        imported = {needed for module in modules if not module.is_style for needed in module.needs.values()}
        for module in modules:
            if not module.is_style and module.path not in of_styles - imported:
                address = self.address(module.path)
                files[address] = self._script(module).encode()
                files[f"{address}.map"] = _source_map(module).encode()
        return files

    def styles(self, path: str) -> dict[str, bytes]:
        """Write the style sheets that a module and those that it imports name, in the order of the cascade."""
        return {
            self.address(module.path): self._sheet(module).encode()
            for module in self._modules.below(path)
            if module.is_style
        }

    def pictures(self, path: str) -> dict[str, bytes]:
        """Read the pictures, fonts and the like that a module and those that it imports name: address → content."""
        files = (module for module in self._modules.below(path) if module.is_file and module.key)
        return {file_address(module.path, module.key): self._modules.content(module.path) for module in files}

    def _sheet(self, module: Module) -> str:
        """Write a style sheet whose addresses lead to where its files are published: beside it."""
        addresses: dict[str, str] = {}
        for reference in module.loads:
            address = reference.address
            if re.match(r"/(?!/)", address) and not address.startswith(self._base_url):
                addresses[address] = self._base_url[:-1] + address
            elif found := module.needs.get(as_import(address)):
                name = posixpath.basename(file_address(found, self._modules.all[found].key))
                addresses[address] = name + "".join(re.findall(r"[?#].*", address.strip(), re.DOTALL)[:1])
        text = with_addresses(module.code, module.loads, addresses)
        return scope_sheet(text, class_ending(module.path)).text if module.path.endswith(MODULE_ENDING) else text

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
