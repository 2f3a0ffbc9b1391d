import type { TranslationNotice } from "../../payload.gen";

/** Language and direction of a text that is not in the language of its page. */
export function languageOf(translation: TranslationNotice | null): { lang?: string; dir?: "ltr" | "rtl" } {
  if (translation?.lang == null) return {};
  return { lang: translation.lang, dir: translation.dir ?? "ltr" };
}
