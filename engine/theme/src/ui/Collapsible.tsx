import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { collapseDuration } from "./collapseDuration";

interface CollapsibleProps {
  isOpen: boolean;
  children: ReactNode;
}

/** Content that opens and closes with a movement as long as its height requires. Drawn on its first opening only. */
export function Collapsible({ isOpen, children }: CollapsibleProps) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  const element = useRef<HTMLDivElement>(null);
  const shown = useRef(isOpen);
  useLayoutEffect(() => {
    if (shown.current === isOpen || element.current === null) return;
    shown.current = isOpen;
    animateHeight(element.current, isOpen);
  }, [isOpen]);
  if (!wasOpened) return null;
  return (
    <div ref={element} className="collapsible" data-state={isOpen ? "open" : "closed"}>
      {children}
    </div>
  );
}

/** Move between no height and the content's own; a running animation is reversed from its current height. */
function animateHeight(element: HTMLElement, isOpening: boolean): void {
  const running = element.getAnimations()[0];
  const from = running === undefined ? (isOpening ? 0 : element.scrollHeight) : element.getBoundingClientRect().height;
  running?.cancel();
  element.dataset.moving = "";
  const height = element.scrollHeight;
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const animation = element.animate(
    { height: [`${from}px`, `${isOpening ? height : 0}px`] },
    // Not 0, so that the end is still an event.
    { duration: isReduced ? 1 : collapseDuration(height), easing: "ease-in-out" },
  );
  animation.onfinish = () => {
    delete element.dataset.moving;
  };
}
