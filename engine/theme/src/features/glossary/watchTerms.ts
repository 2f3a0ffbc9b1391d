import { reportRecoverable } from "../../ui/reportRecoverable";

/** Load what explains terms on pages that have some. Gives what calls it off. */
export function watchTerms(article: HTMLElement): () => void {
  let end: (() => void) | null = null;
  let isGone = false;
  if (article.querySelector("button.term") !== null) {
    import("./terms").then(({ explainTerms }) => {
      if (!isGone) end = explainTerms(article);
    }, reportRecoverable);
  }
  return () => {
    isGone = true;
    end?.();
  };
}
