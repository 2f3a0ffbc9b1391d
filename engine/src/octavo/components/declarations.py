"""Declarations in TypeScript of what components and slots of a site are given, for editors."""

from __future__ import annotations

import textwrap

from octavo.components.modules import FILES
from octavo.components.slots import CONTRACT, LAYOUT, SLOT_PROPS
from octavo.contract import interfaces
from octavo.rendering import LAYOUT_PARTS

_HEAD = """// Written by `octavo types`. Do not edit: run it again after an update of Octavo.
// React's own types are those of the package @types/react, which an editor finds where it is installed.

// Of two patterns that match alike, the first one counts.
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module "*.css";
FILES
declare module "octavo" {
  /** When a component comes alive in the browser: `export const client: Client = "visible"`. */
  export type Client = "load" | "visible" | "idle" | "none";
  /** Put a path of the site, such as `/img/x.svg`, under the address where it is published. */
  export function withBase(path: string): string;
  /** The color mode that is shown; `light` while the site is built. */
  export function useColorMode(): "light" | "dark";

"""


def write_declarations() -> str:
    """Write the declarations of this version."""
    props = interfaces(dict.fromkeys(SLOT_PROPS.values()))
    slots = "".join(
        f'  "{name}": {given.__name__} & {"LayoutParts" if name == LAYOUT else "Content"};\n'
        for name, given in SLOT_PROPS.items()
    )
    parts = "".join(f"  readonly {name}: any;\n" for name in LAYOUT_PARTS)
    body = (
        f"{props}\n/** What is inside a component, or what a slot replaces. */\n"
        "export interface Content {\n  readonly children?: any;\n}\n\n"
        "/** Parts of the page that a layout arranges; null where a page has none. `main` must be shown. */\n"
        f"export interface LayoutParts {{\n{parts}}}\n\n"
        f"/** Name of a slot → what it is given, in version {CONTRACT} of the contract. */\n"
        f"export interface SlotProps {{\n{slots}}}\n"
    )
    files = "".join(
        f'declare module "*{ending}" {{\n  const address: string;\n  export default address;\n}}\n' for ending in FILES
    )
    return _HEAD.replace("FILES\n", f"{files}\n") + textwrap.indent(body, "  ") + "}\n"
