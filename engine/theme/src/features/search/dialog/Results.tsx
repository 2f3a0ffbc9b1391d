import type { RefObject } from "react";
import type { HitGroup, PageGroup } from "../query/groups";
import type { Hit } from "../query/hits";
import type { Question } from "../query/question";
import { HitOption } from "./HitOption";
import type { Options } from "./useOptions";
import { word } from "../../../ui/words";

interface ResultsProps {
  listRef: RefObject<HTMLDivElement | null>;
  listId: string;
  groups: readonly HitGroup[];
  question: Question;
  options: Options;
  /** `position` is that in the whole list, from 1. */
  onChoose: (hit: Hit, position: number) => void;
  onLeave: () => void;
}

/** The hits, by section and page. */
export function Results({ listRef, listId, groups, question, options, onChoose, onLeave }: ResultsProps) {
  const offsets = startsOf(groups.flatMap(({ pages }) => pages));
  return (
    <div ref={listRef} id={listId} className="search-list" role="listbox" aria-label={word("search.results")}>
      {groups.map((group, place) => (
        <div
          key={`${place} ${group.label}`}
          className="hit-group"
          role="group"
          aria-labelledby={`search-group-${place}`}
        >
          <div id={`search-group-${place}`} className="hit-group-label" role="presentation">
            {group.label.split(" / ").join(" › ")}
          </div>
          {group.pages.map((page) => (
            <div key={page.title} className="hit-page" role="presentation">
              {page.hits.map((hit, index) => {
                const position = (offsets.get(page) ?? 0) + index;
                return (
                  <HitOption
                    key={hit.objectId}
                    hit={hit}
                    index={position}
                    isBelowPage={page.hits[0]?.form === "page" && index > 0}
                    showsVersion={question.isEverywhere}
                    options={options}
                    onChoose={() => {
                      onChoose(hit, position + 1);
                    }}
                    onLeave={onLeave}
                  />
                );
              })}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Where the hits of each page begin in the whole list, from 0. */
function startsOf(pages: readonly PageGroup[]): Map<PageGroup, number> {
  const starts = new Map<PageGroup, number>();
  let next = 0;
  for (const page of pages) {
    starts.set(page, next);
    next += page.hits.length;
  }
  return starts;
}
