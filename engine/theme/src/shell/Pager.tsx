import type { LinkData } from "../payload.gen";
import { word } from "../ui/words";

interface PagerProps {
  previous: LinkData | null;
  next: LinkData | null;
}

/** The pages before and after this one in its sidebar. */
export function Pager({ previous, next }: PagerProps) {
  if (previous === null && next === null) return null;
  return (
    <nav className="pager" aria-label={word("pager")}>
      {previous !== null && <PagerLink link={previous} direction="previous" />}
      {next !== null && <PagerLink link={next} direction="next" />}
    </nav>
  );
}

function PagerLink({ link, direction }: { link: LinkData; direction: "previous" | "next" }) {
  return (
    <a className={`pager-${direction}`} href={link.href} rel={direction === "previous" ? "prev" : "next"}>
      <span>{word(`pager.${direction}`)}</span>
      <strong>{link.label}</strong>
    </a>
  );
}
