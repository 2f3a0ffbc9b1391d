import { Suspense, type ReactNode } from "react";

interface Given {
  children: () => ReactNode;
  fallback?: ReactNode;
}

const Content = ({ children }: Given) => <>{children()}</>;

/** What can be drawn without a browser is in the page from the beginning; the rest appears when the page is loaded. */
export default function BrowserOnly({ children, fallback }: Given) {
  return (
    <Suspense fallback={fallback}>
      <Content>{children}</Content>
    </Suspense>
  );
}
