import type { MouseEvent } from "react";
import { word } from "../ui/words";

/** First stop of the keyboard. Focus returns to its box after a navigation, so that the next Tab reaches the link. */
export function SkipLink() {
  return (
    <div id="top" className="skip" tabIndex={-1}>
      <a className="skip-link" href="#main" onClick={skip}>
        {word("skip")}
      </a>
    </div>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.focus();
  main?.scrollIntoView();
}
