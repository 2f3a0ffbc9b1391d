import type { ReactNode } from "react";

type Values = Record<string, ReactNode>;

function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

export function translate({ message, id }: { message?: string; id?: string }, values?: Values): string {
  return fill(message ?? id ?? "", values);
}

export default function Translate({ children, id, values }: { children?: string; id?: string; values?: Values }) {
  return <>{fill(children ?? id ?? "", values)}</>;
}

export function Interpolate({ children, values }: { children: string; values?: Values }) {
  return <>{fill(children, values)}</>;
}
