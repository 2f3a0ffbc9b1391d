import { copyText } from "../../ui/clipboard";
import { showBriefly } from "../../ui/toast";
import { announceBriefly } from "../navigation/Announcer";

/** A click on the mark beside a heading copies the heading's absolute address; the browser follows it as ever. */
export function listenForHashLinks(): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.hash-link") : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    void copyText(link.href).then((isCopied) => {
      if (isCopied) announceBriefly("Link copied");
      else showBriefly("Your browser did not allow copying. The address bar shows the link.");
    });
  });
}
