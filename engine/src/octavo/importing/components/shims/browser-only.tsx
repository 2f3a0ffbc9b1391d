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
    // By this mark the build knows that the fallback is meant.
    throw Object.assign(new Error("Only browsers draw it."), { digest: "BAILOUT_TO_CLIENT_SIDE_RENDERING" });
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
