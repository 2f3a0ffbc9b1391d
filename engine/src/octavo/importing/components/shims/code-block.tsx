import type { ReactNode } from "react";

export default function CodeBlock({ children, title }: { children?: ReactNode; title?: ReactNode }) {
  return (
    <figure className="code" role={title ? undefined : "none"}>
      {title ? <figcaption>{title}</figcaption> : null}
      <pre>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
