import { type ReactNode, useEffect, useRef } from "react";

interface LiveProps {
  /** Called once, when what stands in it lives. */
  onLive: () => void;
  children: ReactNode;
}

export function Live({ onLive, children }: LiveProps) {
  const callback = useRef(onLive);
  useEffect(() => {
    callback.current();
  }, []);
  return children;
}
