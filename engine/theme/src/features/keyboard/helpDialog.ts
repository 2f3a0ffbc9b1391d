import { getCurrent } from "../../data/current";
import { closeButton, openModal } from "../../ui/modal";
import { areSingleKeysOn, setSingleKeys } from "./singleKeys";
import "./help.css";
import { word } from "../../ui/words";

type Line = readonly [keys: readonly string[], what: string];

function listLines(): Line[] {
  const command = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";
  const search: Line[] = [
    [[`${command} K`, "/"], word("search")],
    [["↑", "↓"], word("keys.choose")],
    [["↵"], word("keys.open")],
  ];
  return [
    ...(getCurrent().site.search === null ? [] : search),
    [["Tab"], word("keys.next")],
    [["←", "→", "Home", "End"], word("keys.tabs")],
    [["Esc"], word("keys.close")],
    [["?"], word("keys.help")],
  ];
}

/** Show the dialog. */
export function showHelp(): void {
  const dialog = document.createElement("dialog");
  dialog.className = "help-dialog";
  const heading = document.createElement("h2");
  heading.id = "octavo-help";
  heading.textContent = word("keys.title");
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.append(heading, closeButton(), listElement(), switchElement());
  openModal(dialog);
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
  label.append(box, ` ${word("keys.single")}`);
  return label;
}
