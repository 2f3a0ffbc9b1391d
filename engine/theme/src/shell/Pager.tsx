import type { LinkData } from "../payload.gen";

interface PagerProps {
  previous: LinkData | null;
  next: LinkData | null;
}

/** The pages before and after this one in its sidebar. */
export function Pager({ previous, next }: PagerProps) {
  if (previous === null && next === null) return null;
  return (
    <nav className="pager" aria-label="Docs pages">
      {previous !== null && <PagerLink link={previous} direction="previous" />}
      {next !== null && <PagerLink link={next} direction="next" />}
    </nav>
  );
}

function PagerLink({ link, direction }: { link: LinkData; direction: "previous" | "next" }) {
  return (
    <a className={`pager-${direction}`} href={link.href} rel={direction === "previous" ? "prev" : "next"}>
      <span>{direction === "previous" ? "Previous" : "Next"}</span>
      <strong>{link.label}</strong>
    </a>
  );
}
