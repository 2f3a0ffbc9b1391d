import { getCurrent } from "../../data/current";
import { iconElement } from "../../ui/iconElement";
import { areSingleKeysOn, setSingleKeys } from "./singleKeys";
import "./help.css";

type Line = readonly [keys: readonly string[], what: string];

function listLines(): Line[] {
  const command = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";
  const search: Line[] = [
    [[`${command} K`, "/"], "Search"],
    [["↑", "↓"], "Choose a result"],
    [["↵"], "Open the chosen result"],
  ];
  return [
    ...(getCurrent().site.search === null ? [] : search),
    [["Tab"], "Go to the next link or button; the first one skips to the text"],
    [["←", "→", "Home", "End"], "Choose a tab"],
    [["Esc"], "Close a dialog, a menu or an explanation"],
    [["?"], "Show these keys"],
  ];
}

/** Show the dialog. The native element brings Escape, the inert page behind, and the return of the focus. */
export function showHelp(): void {
  const dialog = document.createElement("dialog");
  dialog.className = "help-dialog";
  const heading = document.createElement("h2");
  heading.id = "octavo-help";
  heading.textContent = "Keyboard shortcuts";
  dialog.setAttribute("aria-labelledby", heading.id);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "icon-button";
  close.setAttribute("aria-label", "Close");
  close.append(iconElement("close"));
  close.addEventListener("click", () => {
    dialog.close();
  });
  dialog.append(heading, close, listElement(), switchElement());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function listElement(): HTMLElement {
  const list = document.createElement("dl");
  for (const [keys, what] of listLines()) {
    const term = document.createElement("dt");
    keys.forEach((key, index) => {
      if (index > 0) term.append(" ");
      const element = document.createElement("kbd");
      element.textContent = key;
      term.append(element);
    });
    const description = document.createElement("dd");
    description.textContent = what;
    list.append(term, description);
  }
  return list;
}

function switchElement(): HTMLElement {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = areSingleKeysOn();
  box.addEventListener("change", () => {
    setSingleKeys(box.checked);
  });
  label.append(box, " Shortcuts of a single key: / and ?");
  return label;
}
