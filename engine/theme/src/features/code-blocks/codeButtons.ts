import { copyText } from "../../ui/clipboard";
import { announceBriefly, BRIEF_MS } from "../navigation/Announcer";

/** Put the buttons on the code blocks of an article, into the place that the style sheet keeps for them. */
export function addCodeButtons(article: HTMLElement): void {
  for (const figure of article.querySelectorAll<HTMLElement>("figure.code")) {
    if (figure.querySelector(":scope > .code-buttons") !== null) continue;
    const bar = document.createElement("div");
    bar.className = "code-buttons";
    bar.append(makeWrapButton(figure), makeCopyButton(figure));
    figure.append(bar);
  }
}

function makeButton(name: string, title: string, icon: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code-button";
  button.title = title;
  button.setAttribute("aria-label", name);
  const picture = document.createElement("span");
  picture.className = `icon icon-${icon}`;
  picture.setAttribute("aria-hidden", "true");
  button.append(picture);
  return button;
}

function makeCopyButton(figure: HTMLElement): HTMLButtonElement {
  const button = makeButton("Copy code to clipboard", "Copy", "copy");
  button.addEventListener("click", () => {
    void copyText(codeText(figure)).then((isCopied) => {
      showCopied(button, isCopied);
    });
  });
  return button;
}

/** Wraps long lines; shown by the style sheet only on blocks that need it. */
function makeWrapButton(figure: HTMLElement): HTMLButtonElement {
  const button = makeButton("Toggle word wrap", "Toggle word wrap", "wrap");
  button.classList.add("wrap-button");
  button.setAttribute("aria-pressed", "false");
  button.hidden = true;
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(figure.classList.toggle("wrapped")));
  });
  const pre = figure.querySelector("pre");
  if (pre !== null) {
    // Also called when a hidden tab panel becomes visible.
    new ResizeObserver(() => {
      button.hidden = !figure.classList.contains("wrapped") && pre.scrollWidth <= pre.clientWidth;
    }).observe(pre);
  }
  return button;
}

/** The text of a block as one would type it: without prompts, without what the commands answered. */
function codeText(figure: HTMLElement): string {
  const code = figure.querySelector("code");
  if (code === null) return "";
  const copy = code.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll(".prompt, .output")) part.remove();
  const text = copy.textContent.replace(/\n$/, "");
  // Answers leave empty lines behind between the commands.
  return code.querySelector(".output") === null ? text : text.replace(/\n{2,}/g, "\n").trim();
}

function showCopied(button: HTMLElement, isCopied: boolean): void {
  announceBriefly(isCopied ? "Copied" : "Copying failed. Select the text and copy it by keyboard.");
  if (!isCopied) return;
  button.dataset.state = "copied";
  button.setAttribute("aria-label", "Copied");
  setTimeout(() => {
    delete button.dataset.state;
    button.setAttribute("aria-label", "Copy code to clipboard");
  }, BRIEF_MS);
}
