import { useEffect, useMemo, useRef, useState } from "react";
import type { SearchData } from "../../../payload.gen";
import { useStore } from "../../../ui/store";
import { FacetChips } from "../FacetChips";
import { itemSelected, itemsViewed } from "../insights";
import { groupAll, hitsInOrder } from "../query/groups";
import type { Answer } from "../query/answer";
import type { Hit } from "../query/hits";
import { LONGEST_IN_DIALOG } from "../query/question";
import type { SearchSession } from "../query/session";
import { addRecent, readSaved, savedHit, type SavedSearches, writeSaved } from "../saved/savedSearches";
import { announcementOf } from "../announcement";
import { ErrorScreen } from "../ErrorScreen";
import { NoResults } from "../NoResults";
import { OtherVersions } from "../OtherVersions";
import type { Question } from "../query/question";
import { DialogFooter } from "./DialogFooter";
import { Results } from "./Results";
import { SearchBox } from "./SearchBox";
import { StartScreen } from "./StartScreen";
import { screenOf } from "./screen";
import { LIST_ID, useOptions } from "./useOptions";
import { wordParts } from "../../../ui/words";

interface SearchDialogProps {
  search: SearchData;
  session: SearchSession;
  onClose: () => void;
}

/** Whether a hit is one of this site, whose server counts what is chosen. */
function isOwn(answer: Answer | null, hit: Hit): boolean {
  return answer?.hits.includes(hit) ?? false;
}

/** Everything in the dialog. */
export function SearchDialog({ search, session, onClose }: SearchDialogProps) {
  const state = useStore(session.store);
  const { answer, question, status } = state;
  const { indexName } = search;
  const [saved, setSaved] = useState(() => readSaved(indexName));
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const screen = screenOf(state);
  const groups = useMemo(
    () => groupAll(answer?.hits ?? [], answer?.otherSites ?? [], search.resultsPerGroup),
    [answer, search],
  );
  const hits = useMemo(() => hitsInOrder(groups), [groups]);
  const count =
    screen === "results" ? hits.length : screen === "start" ? saved.favorites.length + saved.recent.length : 0;
  const isCurrent = status !== "loading" && status !== "stalled";
  const options = useOptions({
    count,
    source: screen === "results" ? answer : screen,
    isCurrent,
    first: screen === "results" ? 0 : -1,
  });

  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
    const objectIds = hits.filter((hit) => isOwn(answer, hit)).map((hit) => hit.objectId);
    itemsViewed({ indexName, objectIds, queryId: answer?.queryId ?? null });
    return () => {
      itemsViewed({ indexName, objectIds: [], queryId: null });
    };
  }, [answer, hits, indexName]);

  const keep = (change: SavedSearches): void => {
    setSaved(change);
    writeSaved(indexName, change);
  };
  const chooseHit = (hit: Hit, position: number): void => {
    if (isOwn(answer, hit))
      itemSelected({ indexName, objectId: hit.objectId, position, queryId: answer?.queryId ?? null });
    keep(addRecent(readSaved(indexName), savedHit(hit)));
  };
  const change = (question: Partial<Question>): void => {
    session.ask(question);
    input.current?.focus();
  };

  const ask = (query: string): void => {
    change({ query });
  };

  return (
    <div className="search-frame" data-answered-by={answer === null ? undefined : session.answeredBy}>
      <SearchBox
        inputRef={input}
        placeholder={search.placeholder}
        query={question.query}
        status={status}
        options={options}
        onQuery={ask}
        onClose={onClose}
      />
      {question.query.length > LONGEST_IN_DIALOG && (
        <p className="search-whole-query">{wordParts("search.for", { query: <q>{question.query}</q> })}</p>
      )}
      {answer !== null && screen !== "error" && screen !== "start" && (
        <FacetChips counts={answer.counts} question={question} versions={answer.versions} onChange={change} />
      )}
      {screen === "results" && answer !== null && (
        <Results
          listRef={list}
          listId={LIST_ID}
          groups={groups}
          question={answer.question}
          options={options}
          onChoose={chooseHit}
          onLeave={onClose}
        />
      )}
      {screen === "start" && <StartScreen saved={saved} options={options} onChange={keep} onLeave={onClose} />}
      {screen === "none" && answer !== null && (
        <NoResults answer={answer} missingResultsUrl={search.missingResultsUrl} onAsk={ask} onEverywhere={change} />
      )}
      {answer !== null && (screen === "results" || screen === "none") && (
        <OtherVersions versions={answer.versions} onChange={change} />
      )}
      {screen === "error" && (
        <ErrorScreen
          help={state.problem}
          onRetry={() => {
            session.retry();
            input.current?.focus();
          }}
        />
      )}
      <DialogFooter
        search={search}
        answer={screen === "results" && (answer?.count ?? 0) > 0 ? answer : null}
        onLeave={onClose}
      />
      <p className="visually-hidden" role="status">
        {announcementOf(state)}
      </p>
    </div>
  );
}
