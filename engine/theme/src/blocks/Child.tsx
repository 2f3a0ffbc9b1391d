import { useMemo } from "react";

/** A place in a block for HTML that was made at build time; never written again on the client. */
export function Child({ html }: { html: string }) {
  const content = useMemo(() => ({ __html: html }), [html]);
  return <div dangerouslySetInnerHTML={content} suppressHydrationWarning />;
}
