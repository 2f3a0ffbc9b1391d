import { useEffect, useState, type ReactNode } from "react";

export default function BrowserOnly({ children, fallback }: { children: () => ReactNode; fallback?: ReactNode }) {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return <>{isThere ? children() : fallback}</>;
}
