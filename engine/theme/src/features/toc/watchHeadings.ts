/** Height of the top bar, in px. */
const BAR_PX = 60;

/** Call back with the id of the heading that is being read, null above the first. The answer ends it. */
export function watchHeadings(headings: readonly HTMLElement[], onActive: (id: string | null) => void): () => void {
  const update = (): void => {
    onActive(activeHeading(headings.map(position), window.innerHeight / 2, isAtEnd()));
  };
  // Only the upper half counts; crossing its edges is the one event at which the answer can change.
  const observer = new IntersectionObserver(update, {
    rootMargin: `-${BAR_PX + 16}px 0px -50% 0px`,
    threshold: [0, 1],
  });
  for (const heading of headings) observer.observe(heading);
  // The last headings of a page may never reach the upper half.
  document.addEventListener("scrollend", update, { passive: true });
  return () => {
    observer.disconnect();
    document.removeEventListener("scrollend", update);
  };
}

interface HeadingPosition {
  readonly id: string;
  /** Distance from the lower edge of the top bar, in px. Read late: each read lays out a part of the page that waits. */
  readonly top: number;
}

/** The first heading in the upper half of the window, else the last one above it. */
export function activeHeading(positions: readonly HeadingPosition[], halfPx: number, isAtEnd: boolean): string | null {
  const last = positions.at(-1);
  if (isAtEnd && last !== undefined && last.top > halfPx) return last.id;
  let above: string | null = null;
  for (const heading of positions) {
    const { top } = heading;
    if (top >= 0) return top < halfPx ? heading.id : above;
    above = heading.id;
  }
  return above;
}

function position(heading: HTMLElement): HeadingPosition {
  return {
    id: heading.id,
    get top(): number {
      return heading.getBoundingClientRect().top - BAR_PX;
    },
  };
}

function isAtEnd(): boolean {
  const root = document.documentElement;
  return window.scrollY > 0 && window.scrollY + window.innerHeight >= root.scrollHeight - 2;
}
