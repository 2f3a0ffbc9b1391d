import { readStored } from "../../ui/storage";
import { LANGUAGE_KEY } from "./languageKey";

/** Show all requests of the page in the language that a reader has chosen, which is remembered already. */
export function followChoice(chosen: HTMLInputElement): void {
  const top = chosen.getBoundingClientRect().top;
  showLanguage(document.body);
  // Requests above may have changed their height: keep what was chosen where it is.
  window.scrollBy({ top: chosen.getBoundingClientRect().top - top, behavior: "instant" });
}

/** Show requests in the remembered language, where they have it. */
export function showLanguage(article: HTMLElement): void {
  const language = readStored(LANGUAGE_KEY);
  if (language === null) return;
  const inputs = article.querySelectorAll<HTMLInputElement>("[data-language] input");
  for (const input of inputs) if (input.value === language) input.checked = true;
}
