// The content of a component as elements, for components that look into their children; written by `build_trees`.
import { type ComponentType, createElement, type ReactNode } from "react";

/** An element of HTML: its name, its properties, and what is in it. */
type HtmlNode = readonly [tag: string, props: Readonly<Record<string, unknown>>, nodes: readonly Node[]];

/** A use of a component. */
interface UseNode {
  readonly use: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly nodes: Trees;
}

/** HTML that is shown as it is. */
export interface PartNode {
  readonly part: number;
  /** Element that can hold it where it is. */
  readonly tag: "div" | "span";
  /** Of a block of code: its text and its language. */
  readonly code?: string;
  readonly language?: string;
}

export type Node = string | HtmlNode | UseNode | PartNode;

/** Name of a property → its elements. */
export type Trees = Readonly<Record<string, readonly Node[]>>;

interface Making {
  /** Find a component by its name. */
  readonly find: (name: string) => ComponentType<Record<string, unknown>>;
  /** Shows parts. */
  readonly Part: ComponentType<PartNode>;
  /** Shows blocks of code, which have the elements of MDX as their children. */
  readonly Code: ComponentType<PartNode & { children?: ReactNode }>;
}

/** Give a component the name by which others look for it. */
export function named<Props>(name: string, component: (props: Props) => ReactNode): (props: Props) => ReactNode {
  return Object.defineProperty(component, "name", { value: name });
}

/** Make the elements of the properties of a component. */
export function makeElements(trees: Trees, making: Making): Record<string, ReactNode> {
  const made: Record<string, ReactNode> = {};
  for (const [name, nodes] of Object.entries(trees)) {
    const [first, ...more] = nodes.map((node) => makeElement(node, making));
    // As JSX does: one child is not a list, and the elements of a list need no keys.
    made[name] = more.length === 0 ? first : fixedList(first, ...more);
  }
  return made;
}

function fixedList(...nodes: ReactNode[]): ReactNode {
  return createElement("div", null, ...nodes).props.children;
}

function makeElement(node: Node, making: Making): ReactNode {
  if (typeof node === "string") return node;
  if ("use" in node) {
    return createElement(making.find(node.use), { ...node.props, ...makeElements(node.nodes, making) });
  }
  if ("part" in node) {
    if (node.code === undefined) return createElement(making.Part, node);
    const className = node.language === "" ? undefined : `language-${node.language ?? ""}`;
    return createElement(making.Code, node, createElement("code", { className }, node.code));
  }
  const [tag, props, nodes] = node;
  return createElement(tag, props, ...nodes.map((one) => makeElement(one, making)));
}
