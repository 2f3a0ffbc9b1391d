import { Suspense, type ReactNode } from "react";

interface Given {
  children: () => ReactNode;
  fallback?: ReactNode;
}

function Content({ children }: Given) {
  try {
    return <>{children()}</>;
  } catch (error) {
    if (typeof window !== "undefined") throw error;
    // The build says nothing of what only waits: the fallback is meant.
    throw new Error("It is suspended until a browser draws it.");
  }
}

/** What can be drawn without a browser is in the page from the beginning; the rest appears when the page is loaded. */
export default function BrowserOnly({ children, fallback }: Given) {
  return (
    <Suspense fallback={fallback}>
      <Content>{children}</Content>
    </Suspense>
  );
}
