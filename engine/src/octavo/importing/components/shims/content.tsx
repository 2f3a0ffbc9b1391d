import type { ReactNode } from "react";

/** A frame of the old theme around what it is given. */
export default function Content({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}
