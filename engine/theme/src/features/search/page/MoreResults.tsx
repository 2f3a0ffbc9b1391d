import { useEffect, useRef } from "react";
import { word } from "../../../ui/words";

interface MoreResultsProps {
  isMore: boolean;
  state: "idle" | "loading" | "error";
  onMore: () => void;
}

/** The focus is on a result or behind the list: an end that moves away with each step could never be passed. */
const IS_BEING_PASSED = "#main li :focus-visible, .found-more :focus-visible, footer :focus-visible";

/** The end of the list: more comes when it is in view of a reader who scrolls, or at the press of the button. */
export function MoreResults({ isMore, state, onMore }: MoreResultsProps) {
  const end = useRef<HTMLDivElement>(null);
  const listener = useRef(onMore);
  const lastBefore = useRef<Element | null>(null);
  useEffect(() => {
    listener.current = onMore;
  });
  useEffect(() => {
    // After a failure the reader decides.
    if (end.current === null || state !== "idle") return;
    const observer = new IntersectionObserver((seen) => {
      const isSeen = seen.some(({ isIntersecting }) => isIntersecting);
      if (isSeen && document.querySelector(IS_BEING_PASSED) === null) listener.current();
    });
    observer.observe(end.current);
    return () => {
      observer.disconnect();
    };
  }, [state, isMore]);
  useEffect(() => {
    if (state === "loading") return;
    // What was asked for is above the button.
    lastBefore.current?.nextElementSibling?.querySelector("a")?.focus();
    lastBefore.current = null;
  }, [state]);
  if (!isMore) return null;
  return (
    <div ref={end} className="found-more">
      {state === "error" && <p>{word("search.more.failed")}</p>}
      {/* A button that is disabled would lose the focus. */}
      <button
        type="button"
        className="button"
        aria-disabled={state === "loading"}
        onClick={() => {
          if (state === "loading") return;
          lastBefore.current = end.current?.previousElementSibling?.lastElementChild ?? null;
          onMore();
        }}
      >
        {state === "loading" ? word("search.more.loading") : state === "error" ? word("retry") : word("search.more")}
      </button>
    </div>
  );
}
