/** A navigation that takes longer shows the bar, in ms. */
const DELAY_MS = 200;

let timer: ReturnType<typeof setTimeout> | undefined;
let bar: HTMLElement | null = null;

/** A page is being loaded. */
export function startProgress(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    bar ??= makeBar();
    bar.dataset.state = "loading";
  }, DELAY_MS);
}

/** It is here. */
export function endProgress(): void {
  clearTimeout(timer);
  if (bar?.dataset.state === "loading") bar.dataset.state = "done";
}

function makeBar(): HTMLElement {
  const element = document.createElement("div");
  element.className = "progress";
  element.setAttribute("aria-hidden", "true");
  document.body.append(element);
  return element;
}
