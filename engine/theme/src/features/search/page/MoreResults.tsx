import { useEffect, useRef } from "react";
import { word } from "../../../ui/words";

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
      {state === "error" && <p>{word("search.more.failed")}</p>}
      <button type="button" className="button" disabled={state === "loading"} onClick={onMore}>
        {state === "loading" ? word("search.more.loading") : state === "error" ? word("retry") : word("search.more")}
      </button>
    </div>
  );
}
