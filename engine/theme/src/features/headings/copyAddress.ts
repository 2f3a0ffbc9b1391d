import { copyText } from "../../ui/clipboard";
import { showBriefly } from "../../ui/toast";
import { announceBriefly } from "../navigation/Announcer";
import { word } from "../../ui/words";

/** A click on the mark beside a heading copies the heading's absolute address; the browser follows it as ever. */
export function listenForHashLinks(): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.hash-link") : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    void copyText(link.href).then((isCopied) => {
      if (isCopied) announceBriefly(word("link.copied"));
      else showBriefly(word("link.refused"));
    });
  });
}
