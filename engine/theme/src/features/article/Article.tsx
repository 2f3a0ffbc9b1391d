import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { startArticle } from "./articleLife";
import { restoreArticle } from "./servedArticle";
import { languageOf } from "./languageOf";
import type { TranslationNotice } from "../../payload.gen";

/**
 * The article, whose HTML was made at build time.
 *
 * On the page that came as HTML the article is in the document already and `html` is empty: React leaves it as it is.
 */
export function Article({ html, translation = null }: { html: string; translation?: TranslationNotice | null }) {
  const element = useRef<HTMLDivElement>(null);
  // The same object at each drawing, else React would write the content anew.
  const content = useMemo(() => ({ __html: html }), [html]);
  useEffect(() => {
    if (element.current !== null) restoreArticle(element.current);
  }, []);
  useLayoutEffect(() => (element.current === null ? undefined : startArticle(element.current)), [html]);
  return (
    <div
      ref={element}
      className="prose"
      {...languageOf(translation)}
      dangerouslySetInnerHTML={content}
      suppressHydrationWarning
    />
  );
}
