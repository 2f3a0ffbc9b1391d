const SHOWN_MS = 8000;

let shown: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Show and say that something went wrong, at the lower edge of the window, for as long as it takes to read. */
export function showBriefly(text: string): void {
  shown?.remove();
  clearTimeout(timer);
  shown = document.createElement("p");
  shown.className = "toast";
  shown.setAttribute("role", "alert");
  shown.textContent = text;
  document.body.append(shown);
  timer = setTimeout(() => shown?.remove(), SHOWN_MS);
}
