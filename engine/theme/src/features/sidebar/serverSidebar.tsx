import { type ReactNode, Suspense } from "react";

/** What stands for the sidebar in a server's page, between the same marks as on the client. */
export function serverSidebar(content: ReactNode): ReactNode {
  return <Suspense fallback={null}>{content}</Suspense>;
}
