import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import type { TocEntry } from "../../payload.gen";
import { Icon } from "../../ui/Icon";
import { watchHeadings } from "./watchHeadings";
import { word } from "../../ui/words";

interface TocProps {
  entries: readonly TocEntry[];
  /** Language of the article where it is not that of the page. */
  lang: string | undefined;
  end: ReactNode;
}

/** The headings of the page: a column on wide screens, else a disclosure. */
export function Toc({ entries, lang, end }: TocProps) {
  const [active, setActive] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const headings = entries
      .map((entry) => document.getElementById(entry.anchor))
      .filter((heading) => heading !== null);
    return watchHeadings(headings, setActive);
  }, [entries]);
  useEffect(() => {
    keepInView(list.current);
  }, [active]);
  const top = Math.min(...entries.map((entry) => entry.level));
  return (
    <nav className="toc" aria-label={word("toc")} data-state={isOpen ? "open" : "closed"}>
      <button
        type="button"
        className="toc-button"
        aria-expanded={isOpen}
        data-intent=""
        onClick={() => {
          setIsOpen(!isOpen);
        }}
      >
        {word("toc")}
        <Icon name="chevron" />
      </button>
      <p className="toc-title" aria-hidden="true">
        {word("toc")}
      </p>
      <ul
        ref={list}
        lang={lang}
        onClick={() => {
          setIsOpen(false);
        }}
      >
        {entries.map((entry) => (
          <Entry key={entry.anchor} entry={entry} depth={entry.level - top} isActive={entry.anchor === active} />
        ))}
      </ul>
      {end}
    </nav>
  );
}

interface EntryProps {
  entry: TocEntry;
  /** 0 for the highest level that is there. */
  depth: number;
  isActive: boolean;
}

const Entry = memo(function Entry({ entry, depth, isActive }: EntryProps) {
  return (
    <li className={depth === 0 ? undefined : `toc-${depth}`}>
      <a href={`#${entry.anchor}`} aria-current={isActive ? "location" : undefined} {...contentOf(entry.html)} />
    </li>
  );
});

/** Most headings are plain text, which needs no parser. */
function contentOf(html: string): { children: string } | { dangerouslySetInnerHTML: { __html: string } } {
  return /[<&]/.test(html) ? { dangerouslySetInnerHTML: { __html: html } } : { children: html };
}

/** Scroll a long list, and nothing else, so far that its active entry can be seen. */
function keepInView(list: HTMLElement | null): void {
  const link = list?.querySelector<HTMLElement>("[aria-current]");
  if (list == null || link == null || list.scrollHeight <= list.clientHeight) return;
  const view = list.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  if (place.top < view.top || place.bottom > view.bottom)
    list.scrollTop += place.top - view.top - list.clientHeight / 2;
}
