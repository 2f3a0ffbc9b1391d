// Read by the inline script too: no imports, and arguments by place, because names of fields stay in what is sent.

export type Mode = "light" | "dark";
export type Choice = Mode | "system";

export const STORAGE_KEY = "theme";
export const QUERY_KEY = "docusaurus-theme";

/** Read a choice; anything else than the three words is none. */
export function parseChoice(value: string | null | undefined): Choice | null {
  return /^(light|dark|system)$/.test(String(value)) ? (value as Choice) : null;
}

/** The initial choice. Where the system is not respected, it can't be chosen either. */
export function initialChoice(kept: Choice | null, defaultMode: Mode, respectsSystem: boolean): Choice {
  if (kept && kept !== "system") return kept;
  return respectsSystem ? "system" : defaultMode;
}

/** The mode that a choice comes to. */
export function effectiveMode(choice: Choice, preferred: Mode): Mode {
  return choice === "system" ? preferred : choice;
}

/** The next choice of the toggle: light, dark, system, where the system is respected. */
export function nextChoice(choice: Choice, respectsSystem: boolean): Choice {
  if (choice === "light") return "dark";
  return choice === "dark" && respectsSystem ? "system" : "light";
}

/** The mode that the system prefers; the site's default where it prefers none. */
export function preferredMode(defaultMode: Mode): Mode {
  return (
    (["light", "dark"] as const).find((mode) => matchMedia(`(prefers-color-scheme:${mode})`).matches) ?? defaultMode
  );
}
