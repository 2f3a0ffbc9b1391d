import { Anchor } from "../../../ui/Anchor";
import { kindName } from "../kinds";
import { Marked } from "../Marked";
import type { Hit } from "../query/hits";
import { parseMarks } from "../query/marks";

interface FoundListProps {
  hits: readonly Hit[];
  showsVersion: boolean;
  /** `position` counts from 1. */
  onChoose: (hit: Hit, position: number) => void;
}

/** The hits of the page, one below the other. */
export function FoundList({ hits, showsVersion, onChoose }: FoundListProps) {
  return (
    <ol>
      {hits.map((hit, index) => (
        <li key={hit.objectId} className="found">
          <h2>
            <Anchor
              href={hit.href}
              onClick={() => {
                onChoose(hit, index + 1);
              }}
            >
              <Marked text={hit.form === "text" ? parseMarks(hit.headline) : hit.title} />
            </Anchor>
          </h2>
          <p className="found-trail">
            <span>{trailOf(hit)}</span>
            {kindName(hit.kind) !== null && <span className="hit-kind">{kindName(hit.kind)}</span>}
            {showsVersion && hit.version !== null && <span className="hit-kind">{hit.version}</span>}
          </p>
          {(hit.form === "text" || hit.excerpt !== null) && (
            <p className="found-excerpt" data-kind={hit.kind}>
              <Marked text={hit.form === "text" ? hit.title : (hit.excerpt ?? [])} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function trailOf({ group, trail, form }: Hit): string {
  // The heading of a text is the link above.
  const above = form === "text" ? trail.slice(0, -1) : trail;
  return [...group.split(" / "), ...above].filter(Boolean).join(" › ");
}
