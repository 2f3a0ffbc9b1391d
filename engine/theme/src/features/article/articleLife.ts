/** Hydrates an article; the function that it returns cleans up when the article is removed. */
type ArticleLife = (article: HTMLElement) => () => void;

let life: ArticleLife | null = null;

/** Say what happens with each article that is shown. The client does; on the server articles have no life. */
export function setArticleLife(value: ArticleLife): void {
  life = value;
}

export function startArticle(article: HTMLElement): (() => void) | undefined {
  return life?.(article);
}
