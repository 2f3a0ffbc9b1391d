import type { ReactNode } from "react";

export default function Admonition({ type = "note", title, children }: { type?: string; title?: ReactNode; children?: ReactNode }) {
  return (
    <div className={`admonition admonition-${type}`} role="note">
      <p className="admonition-title">{title ?? type[0].toUpperCase() + type.slice(1)}</p>
      <div className="admonition-body">{children}</div>
    </div>
  );
}
