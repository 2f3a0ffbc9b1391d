import { useId } from "react";
import type { VersionCount } from "./query/answer";
import type { Question } from "./query/question";
import { formatNumber, word } from "../../ui/words";

interface OtherVersionsProps {
  versions: readonly VersionCount[];
  onChange: (change: Partial<Question>) => void;
}

/** How many hits the other versions have; each can be searched in place of the reader's. */
export function OtherVersions({ versions, onChange }: OtherVersionsProps) {
  const labelId = useId();
  const others = versions.filter(({ isShown }) => !isShown);
  if (others.length === 0) return null;
  return (
    <div className="other-versions" role="group" aria-labelledby={labelId}>
      <span id={labelId}>{word("search.versions")}</span>
      {others.map(({ name, label, count }) => (
        <button
          key={name}
          type="button"
          className="chip"
          onClick={() => {
            onChange({ version: name });
          }}
        >
          {label} <span className="chip-count">{formatNumber(count)}</span>
        </button>
      ))}
    </div>
  );
}
