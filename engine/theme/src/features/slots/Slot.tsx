import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PagePayload } from "../../payload.gen";

type Life = (element: HTMLElement) => () => void;

let bringAlive: Life = () => () => undefined;

/** What the build has drawn: path of the page, and name of the slot → HTML. A layout may take a part out and show it again. */
const drawn: Record<string, string> = {};

/** Set what hydrates the components in slots; the client does so before it draws. */
export function setSlotLife(life: Life): void {
  bringAlive = life;
}

/** What the site has put into a named place of the page; nothing where it has not. */
export function Slot({ name, page }: { name: string; page: PagePayload }) {
  const html = page.slots?.[name];
  // Another page may have hydrated it in another state.
  return html === undefined ? null : <Content key={page.path} name={name} html={html} path={page.path} />;
}

/** As with articles, `html` is empty on the page that came as HTML: what is in the document stays. */
export function Content({ name, html, path = "" }: { name: string; html: string; path?: string }) {
  const element = useRef<HTMLDivElement>(null);
  const id = path + name;
  const [before = html] = useState(drawn[id]);
  const content = useMemo(() => ({ __html: html === "" ? before : html }), [html, before]);
  useLayoutEffect(() => {
    if (element.current === null) return;
    drawn[id] ??= element.current.innerHTML;
    return bringAlive(element.current);
  }, [html, id]);
  return (
    <div ref={element} className={`slot slot-${name}`} dangerouslySetInnerHTML={content} suppressHydrationWarning />
  );
}

export const SEARCH_EMPTY = "search-empty";

/** What search shows below "No results" waits here, for it is drawn by the build and shown in a dialog. */
export function SearchEmptySlot({ page }: { page: PagePayload }) {
  const html = page.slots?.[SEARCH_EMPTY];
  return html === undefined ? null : <Waiting key={page.path} html={html} />;
}

function Waiting({ html }: { html: string }) {
  const content = useMemo(() => ({ __html: html }), [html]);
  return <template id={SEARCH_EMPTY} dangerouslySetInnerHTML={content} suppressHydrationWarning />;
}
