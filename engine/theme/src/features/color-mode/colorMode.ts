import type { ColorModeData } from "../../payload.gen";
import { createStore } from "../../ui/store";
import { readStored, watchStored, writeStored } from "../../ui/storage";
import {
  type Choice,
  effectiveMode,
  initialChoice,
  type Mode,
  nextChoice,
  parseChoice,
  preferredMode,
  STORAGE_KEY,
} from "./choice";

/** What the reader chose; null until the page is hydrated, because the server can't know. */
export const choiceStore = createStore<Choice | null>(null);

/** The mode that is shown: what diagrams follow. */
export const modeStore = createStore<Mode>("dark");

let config: ColorModeData = { default: "dark", respectsSystem: true, hasSwitch: true };

/** Take over from the inline script, which has put choice and mode on the root. */
export function startColorMode(settings: ColorModeData): void {
  config = settings;
  if (!config.hasSwitch) writeStored(STORAGE_KEY, null);
  const shown = parseChoice(document.documentElement.dataset.themeChoice ?? null);
  show(shown ?? firstChoice(readStored(STORAGE_KEY)));
  // What another tab wrote is shown and not written back.
  watchStored(STORAGE_KEY, (value) => {
    show(firstChoice(value));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    show(choiceStore.get() ?? "system");
  });
}

/** Go on to the next choice, and keep it. */
export function cycleColorMode(): void {
  const choice = nextChoice(choiceStore.get() ?? "system", config.respectsSystem);
  show(choice);
  writeStored(STORAGE_KEY, choice === "system" ? null : choice);
}

function firstChoice(stored: string | null): Choice {
  return initialChoice(parseChoice(stored), config.default, config.respectsSystem);
}

function show(choice: Choice): void {
  const mode = effectiveMode(choice, preferredMode(config.default));
  const { dataset } = document.documentElement;
  dataset.theme = mode;
  dataset.themeChoice = choice;
  choiceStore.set(choice);
  modeStore.set(mode);
}
