import { copyText } from "../../ui/clipboard";
import { iconElement, showPicture } from "../../ui/iconElement";
import type { PictureName } from "../../ui/pictures";
import { showBriefly } from "../../ui/toast";
import { announceBriefly, BRIEF_MS } from "../navigation/Announcer";
import { word } from "../../ui/words";

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

function makeButton(name: string, title: string, icon: PictureName): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code-button";
  button.title = title;
  button.setAttribute("aria-label", name);
  button.append(iconElement(icon));
  return button;
}

function makeCopyButton(figure: HTMLElement): HTMLButtonElement {
  const button = makeButton(word("code.copy"), word("code.copy.short"), "copy");
  button.addEventListener("click", () => {
    void copyText(codeText(figure)).then((isCopied) => {
      if (isCopied) showCopied(button);
      else showRefused(figure);
    });
  });
  return button;
}

/** Wraps long lines; shown by the style sheet only on blocks that need it. */
function makeWrapButton(figure: HTMLElement): HTMLButtonElement {
  const button = makeButton(word("code.wrap"), word("code.wrap"), "wrap");
  button.classList.add("wrap-button");
  button.setAttribute("aria-pressed", "false");
  button.hidden = true;
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(figure.classList.toggle("wrapped")));
  });
  const boxes = [...figure.querySelectorAll("pre")];
  // Also called when a hidden tab panel becomes visible, or folded lines.
  const observer = new ResizeObserver(() => {
    button.hidden = !figure.classList.contains("wrapped") && boxes.every((pre) => pre.scrollWidth <= pre.clientWidth);
  });
  for (const pre of boxes) observer.observe(pre);
  return button;
}

/** The text of a block as one would type it: folded lines too, without prompts, labels and what commands answered. */
function codeText(figure: HTMLElement): string {
  const boxes = [...figure.querySelectorAll("code")].map((code) => code.cloneNode(true) as HTMLElement);
  let hasOutput = false;
  for (const code of boxes) {
    hasOutput ||= code.querySelector(".output") !== null;
    for (const part of code.querySelectorAll(".prompt, .output, .line-label")) part.remove();
  }
  const text = boxes
    .map((code) => code.textContent)
    .join("\n")
    .replace(/\n$/, "");
  // Answers leave empty lines behind between the commands.
  return hasOutput ? text.replace(/\n{2,}/g, "\n").trim() : text;
}

function showCopied(button: HTMLElement): void {
  announceBriefly(word("copied"));
  const icon = button.querySelector("svg");
  const show = (state: string | null, name: string, picture: PictureName): void => {
    if (state === null) delete button.dataset.state;
    else button.dataset.state = state;
    button.setAttribute("aria-label", name);
    if (icon !== null) showPicture(icon, picture);
  };
  show("copied", word("copied"), "check");
  setTimeout(() => {
    show(null, word("code.copy"), "copy");
  }, BRIEF_MS);
}

/** The browser does not let scripts copy: the reader has one key left to press. */
function showRefused(figure: HTMLElement): void {
  for (const fold of figure.querySelectorAll("details")) fold.open = true;
  const boxes = [...figure.querySelectorAll("code")];
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (first && last) getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
  const key = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘ C" : "Ctrl C";
  showBriefly(word("code.refused", { key }));
}
