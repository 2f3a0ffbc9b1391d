import type { MermaidProps } from "../payload.gen";

/** A diagram, shown as its source. */
export function Mermaid({ code }: MermaidProps) {
  return (
    <pre className="mermaid-source" tabIndex={0}>
      {code}
    </pre>
  );
}
