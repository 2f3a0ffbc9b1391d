import type { ComponentType } from "react";

/** What every block gets beside its own props. */
export interface Children {
  /** HTML of child *n*: a slot on the server; empty on the client, where the child is in the document already. */
  child: (index: number) => string;
}

/** A block as the registry sees it. */
export type Block = ComponentType<Children & Record<string, unknown>>;

/** Forget the props of a block: they are checked where the page is built, by the types of the payload. */
export function asBlock<Props>(component: ComponentType<Props & Children>): Block {
  return component as unknown as Block;
}
