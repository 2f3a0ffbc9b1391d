import { createElement, type Attributes, type ComponentType, type ReactElement } from "react";
import type { IslandProps } from "../payload.gen";

export type IslandKind = keyof IslandProps;

/** What every block gets beside its own props. */
export interface Children {
  /** Unique in the page: the beginning of the ids that a block gives to its elements. */
  id: string;
  /** HTML of child *n*: a slot on the server; empty on the client, where the child is in the document already. */
  child: (index: number) => string;
}

/** The component of an island. */
export type Block<Kind extends IslandKind> = ComponentType<IslandProps[Kind] & Children>;

/** Make the element of an island. */
export function blockElement<Kind extends IslandKind>(
  Component: Block<Kind>,
  props: IslandProps[Kind],
  place: Children,
): ReactElement {
  const all: IslandProps[Kind] & Children = { ...props, ...place };
  // No island has a prop of React's own name; of a type parameter the compiler can't see that.
  return createElement(Component, all as typeof all & Attributes);
}
