import { kindOrder, valueName } from "./kinds";
import type { Counts, VersionCount } from "./query/answer";
import { type Facet, NOTHING_CHOSEN, type Question, toggle } from "./query/question";
import { formatNumber, word } from "../../ui/words";

interface FacetChipsProps {
  counts: Counts;
  question: Question;
  versions: readonly VersionCount[];
  onChange: (change: Partial<Question>) => void;
}

/** Values of the facets that divide the hits, each to be chosen or taken back. */
export function FacetChips({ counts, question, versions, onChange }: FacetChipsProps) {
  const { chosen, isEverywhere, version } = question;
  const isChosen = chosen.section.length + chosen.kind.length > 0;
  const facets = (["section", "kind"] as const).filter((facet) => counts[facet].size > 1 || chosen[facet].length > 0);
  if (facets.length === 0 && !isEverywhere && version === null) return null;
  return (
    <div className="chips" role="group" aria-label={word("search.filters")}>
      {isEverywhere && (
        <button
          type="button"
          className="chip"
          aria-pressed="true"
          onClick={() => {
            onChange({ isEverywhere: false });
          }}
        >
          {word("search.everywhere")}
        </button>
      )}
      {version !== null && !isEverywhere && (
        <button
          type="button"
          className="chip"
          aria-pressed="true"
          onClick={() => {
            onChange({ version: null });
          }}
        >
          {versions.find(({ isShown }) => isShown)?.label ?? version}
        </button>
      )}
      {facets.map((facet) => (
        <span key={facet} className="chips-facet">
          {valuesOf(facet, counts).map(([value, count]) => (
            <button
              key={value}
              type="button"
              className="chip"
              aria-pressed={chosen[facet].includes(value)}
              onClick={() => {
                onChange({ chosen: toggle(chosen, facet, value) });
              }}
            >
              {valueName(facet, value)} <span className="chip-count">{formatNumber(count)}</span>
            </button>
          ))}
        </span>
      ))}
      {isChosen && (
        <button
          type="button"
          className="chip-clear"
          onClick={() => {
            onChange({ chosen: NOTHING_CHOSEN });
          }}
        >
          {word("search.filters.clear")}
        </button>
      )}
    </div>
  );
}

/** In an order that does not change while one types. */
function valuesOf(facet: Facet, counts: Counts): [string, number][] {
  return [...counts[facet]].sort(([one], [other]) =>
    facet === "kind" ? kindOrder(one) - kindOrder(other) : one.localeCompare(other, "en"),
  );
}
