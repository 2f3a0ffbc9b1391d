const DELAY_MS = 250;

/**
 * Show the meaning of a term while the pointer rests on the term or on its explanation.
 *
 * The rest is the browser's: a button opens the explanation by key, click or touch, and Escape closes it (WCAG 1.4.13).
 * Gives what calls it off.
 */
export function explainTerms(article: HTMLElement): () => void {
  const end = new AbortController();
  for (const button of article.querySelectorAll<HTMLButtonElement>("button.term")) {
    const { popoverTargetElement: meaning } = button;
    if (!(meaning instanceof HTMLElement)) continue;
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** One that was opened on purpose is closed on purpose. */
    let isPassing = false;
    const show = (event: PointerEvent): void => {
      clearTimeout(timer);
      if (event.pointerType !== "mouse" || meaning.matches(":popover-open")) return;
      timer = setTimeout(() => {
        isPassing = true;
        meaning.showPopover({ source: button });
      }, DELAY_MS);
    };
    const hide = (): void => {
      clearTimeout(timer);
      if (isPassing)
        timer = setTimeout(() => {
          meaning.hidePopover();
        }, DELAY_MS);
    };
    const { signal } = end;
    for (const part of [button, meaning]) {
      part.addEventListener("pointerenter", show, { signal });
      part.addEventListener("pointerleave", hide, { signal });
    }
    meaning.addEventListener(
      "toggle",
      () => {
        if (!meaning.matches(":popover-open")) isPassing = false;
      },
      { signal },
    );
  }
  return () => {
    end.abort();
  };
}
