/** HTML that was made safe where the page was built. Nothing where there is none. */
export function Html({ html, className }: { html: string; className?: string }) {
  if (html === "") return null;
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
