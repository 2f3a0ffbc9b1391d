import { useEffect, useRef } from "react";

interface MoreResultsProps {
  isMore: boolean;
  state: "idle" | "loading" | "error";
  onMore: () => void;
}

/** The end of the list: more comes when it is in view, or at the press of the button. */
export function MoreResults({ isMore, state, onMore }: MoreResultsProps) {
  const end = useRef<HTMLDivElement>(null);
  const listener = useRef(onMore);
  useEffect(() => {
    listener.current = onMore;
  });
  useEffect(() => {
    // After a failure the reader decides.
    if (end.current === null || state !== "idle") return;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) listener.current();
    });
    observer.observe(end.current);
    return () => {
      observer.disconnect();
    };
  }, [state, isMore]);
  if (!isMore) return null;
  return (
    <div ref={end} className="found-more">
      {state === "error" && <p>More results could not be fetched.</p>}
      <button type="button" className="button" disabled={state === "loading"} onClick={onMore}>
        {state === "loading" ? "Fetching new results…" : state === "error" ? "Retry" : "Show more results"}
      </button>
    </div>
  );
}
