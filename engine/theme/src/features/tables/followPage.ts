/**
 * Tell the style sheet where tables that scroll to the side are, so that their headers follow the reader down the page.
 *
 * For browsers without timelines of scrolling, where the style sheet cannot know it by itself (Firefox 153).
 */
export function followPage(article: HTMLElement): () => void {
  const tables = article.querySelectorAll<HTMLElement>(".table-wrap:has(thead)");
  if (tables.length === 0) return () => undefined;
  let isPlanned = false;
  const place = (): void => {
    isPlanned = false;
    const tops = [...tables].map((table) => (table.role === "group" ? table.getBoundingClientRect().top : null));
    tops.forEach((top, index) => {
      if (top !== null) tables[index]?.style.setProperty("--top", `${top}px`);
    });
  };
  const plan = (): void => {
    if (!isPlanned) requestAnimationFrame(place);
    isPlanned = true;
  };
  addEventListener("scroll", plan, { passive: true });
  addEventListener("resize", plan, { passive: true });
  return () => {
    removeEventListener("scroll", plan);
    removeEventListener("resize", plan);
  };
}
