import { useState } from "react";
import { Content, SEARCH_EMPTY } from "./Slot";

/** What the site has written for readers who have found nothing. */
export function SearchEmpty() {
  const [html] = useState(() => document.getElementById(SEARCH_EMPTY)?.innerHTML ?? "");
  return html === "" ? null : <Content name={SEARCH_EMPTY} html={html} />;
}
