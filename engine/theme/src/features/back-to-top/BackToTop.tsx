import { useEffect, useState } from "react";
import { Icon } from "../../ui/Icon";
import { onNavigated } from "../navigation/navigate";
import { word } from "../../ui/words";

/** Below this the top is near enough, in px. */
const NEAR_TOP_PX = 300;

/** Appears when the reader scrolls up; goes when he scrolls down, arrives at the top or at another page. */
export function BackToTop() {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    // Not the place now: to ask for it while the page is hydrated is to lay it out in the same task.
    let last = Infinity;
    const onScroll = (): void => {
      const y = window.scrollY;
      const atEnd = y + window.innerHeight >= document.documentElement.scrollHeight - 1;
      if (y !== last) setIsShown(y < last && last < Infinity && y > NEAR_TOP_PX && !atEnd);
      last = y;
    };
    const stop = onNavigated(() => {
      last = window.scrollY;
      setIsShown(false);
    });
    document.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      stop();
      document.removeEventListener("scroll", onScroll);
    };
  }, []);
  return (
    <button
      type="button"
      className="back-to-top"
      aria-label={word("backToTop")}
      hidden={!isShown}
      onClick={scrollToTop}
    >
      <Icon name="up" />
    </button>
  );
}

function scrollToTop(): void {
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: isReduced ? "instant" : "smooth" });
}
