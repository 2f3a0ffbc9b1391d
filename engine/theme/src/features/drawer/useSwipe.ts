import { type RefObject, useEffect } from "react";

/** A movement this long closes, in px. */
const SWIPE_PX = 60;

/** Call back when a finger pushes an element towards the side it came from. */
export function useSwipe(target: RefObject<HTMLElement | null>, onSwipe: () => void): void {
  useEffect(() => {
    const element = target.current;
    if (element === null) return;
    let start: Touch | null = null;
    const onStart = (event: TouchEvent): void => {
      start = event.touches.length === 1 ? (event.touches[0] ?? null) : null;
    };
    const onEnd = (event: TouchEvent): void => {
      const end = event.changedTouches[0];
      if (start === null || end === undefined) return;
      const isRtl = getComputedStyle(element).direction === "rtl";
      const along = (end.clientX - start.clientX) * (isRtl ? 1 : -1);
      const across = Math.abs(end.clientY - start.clientY);
      start = null;
      if (along > SWIPE_PX && along > across) onSwipe();
    };
    element.addEventListener("touchstart", onStart, { passive: true });
    element.addEventListener("touchend", onEnd, { passive: true });
    return () => {
      element.removeEventListener("touchstart", onStart);
      element.removeEventListener("touchend", onEnd);
    };
  }, [target, onSwipe]);
}
