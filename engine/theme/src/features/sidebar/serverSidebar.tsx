import { type ReactNode, Suspense } from "react";

/** The placeholder of the sidebar in a page drawn by the server, between the same marks as on the client. */
export function serverSidebar(content: ReactNode): ReactNode {
  return <Suspense fallback={null}>{content}</Suspense>;
}
