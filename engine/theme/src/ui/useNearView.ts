import { type RefObject, useEffect, useState } from "react";

/** An element this far from the view is near it, in px. */
const NEAR_PX = 200;

/** Becomes true once, when an element comes near the view. */
export function useNearView(target: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin: `${NEAR_PX}px` },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [target]);
  return isNear;
}
