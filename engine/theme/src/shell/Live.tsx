import { type ReactNode, useEffect, useRef } from "react";

interface LiveProps {
  /** Called once, when its content is hydrated. */
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
