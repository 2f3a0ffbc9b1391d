import { type RefObject, useEffect, useState } from "react";
import type { SearchData } from "../../../payload.gen";
import { getCurrent } from "../../../data/current";
import { useStore } from "../../../ui/store";
import { announcementOf } from "../announcement";
import { countText } from "../countText";
import { ErrorScreen } from "../ErrorScreen";
import { FacetChips } from "../FacetChips";
import { makeFinder } from "../finder";
import { itemSelected, itemsViewed } from "../insights";
import { NoResults } from "../NoResults";
import { OtherVersions } from "../OtherVersions";
import { type Question, questionHref } from "../query/question";
import { SearchSession } from "../query/session";
import "../search.css";
import { startInsights } from "../sendInsights";
import "./page.css";
import { FoundList } from "./FoundList";
import { MoreResults } from "./MoreResults";
import { useAddress, writeAddress } from "./useAddress";
import { useField } from "./useField";

export interface LiveResultsProps {
  search: SearchData;
  /** The form of the page; its field is taken over. */
  form: RefObject<HTMLFormElement | null>;
  /** What is searched for now. */
  onQuery: (query: string) => void;
}

/** The results, in step with the field and the address. */
export function LiveResults({ search, form, onQuery }: LiveResultsProps) {
  const [session] = useState(() => new SearchSession(makeFinder(getCurrent(), search)));
  const state = useStore(session.store);
  const { answer, question, problem, status, more } = state;
  const { indexName, pageHref } = search;
  const ask = (change: Partial<Question>): void => {
    session.ask(change);
    writeAddress(pageHref, session.store.get().question);
  };
  const setField = useField(form, (query) => {
    ask({ query });
  });
  const askAndShow = (change: Partial<Question>): void => {
    if (change.query !== undefined) setField(change.query);
    ask(change);
  };

  useAddress((next) => {
    // What was written there by ourselves is no news.
    if (questionHref("", next) === questionHref("", session.store.get().question)) return;
    setField(next.query);
    session.ask(next);
  });
  useEffect(() => {
    startInsights(search);
    return () => {
      session.end();
    };
  }, [search, session]);
  useEffect(() => {
    onQuery(question.query.trim());
  }, [question.query, onQuery]);
  useEffect(() => {
    const objectIds = answer?.hits.slice(-answer.fresh).map((hit) => hit.objectId) ?? [];
    itemsViewed({ indexName, objectIds, queryId: answer?.queryId ?? null });
  }, [answer, indexName]);

  const hasHits = answer !== null && answer.count > 0;
  return (
    <div data-status={status} aria-busy={status === "loading" || status === "stalled"}>
      <p className="visually-hidden" role="status">
        {announcementOf(state)}
      </p>
      {answer !== null && (
        <FacetChips counts={answer.counts} question={question} versions={answer.versions} onChange={askAndShow} />
      )}
      {problem !== null && (
        <ErrorScreen
          help={problem}
          onRetry={() => {
            session.retry();
          }}
        />
      )}
      {problem === null && answer?.count === 0 && (
        <NoResults
          answer={answer}
          missingResultsUrl={search.missingResultsUrl}
          onAsk={(query) => {
            askAndShow({ query });
          }}
          onEverywhere={askAndShow}
        />
      )}
      {problem === null && hasHits && (
        <>
          <p className="found-count">{countText(answer, "search.found")}</p>
          <FoundList
            hits={answer.hits}
            showsVersion={answer.question.isEverywhere}
            onChoose={({ objectId }, position) => {
              itemSelected({ indexName, objectId, position, queryId: answer.queryId });
            }}
          />
          <MoreResults
            key={answer.question.query}
            isMore={answer.pagesHere < answer.pages}
            state={more}
            onMore={() => {
              session.more();
            }}
          />
        </>
      )}
      {problem === null && answer !== null && <OtherVersions versions={answer.versions} onChange={askAndShow} />}
    </div>
  );
}
