import type { Answer } from "./query/answer";
import { NOTHING_CHOSEN, type Question } from "./query/question";
import { SearchEmpty } from "../slots/SearchEmpty";
import { formatNumber, word, wordParts } from "../../ui/words";

interface NoResultsProps {
  answer: Answer;
  /** `{query}` in it is replaced by the query; null: no link is shown. */
  missingResultsUrl: string | null;
  onAsk: (query: string) => void;
  onEverywhere: (change: Partial<Question>) => void;
}

/** Nothing was found: why that may be, and what would be. */
export function NoResults({ answer, missingResultsUrl, onAsk, onEverywhere }: NoResultsProps) {
  const { question, elsewhere, suggestions } = answer;
  const { query } = question;
  return (
    <div className="search-message">
      <p className="search-message-title">{wordParts("search.none", { query: <strong>{query}</strong> })}</p>
      {elsewhere > 0 && (
        <p>
          {word(`search.hidden.${reasonOf(question)}`, { count: formatNumber(elsewhere) })}{" "}
          <button
            type="button"
            className="button"
            onClick={() => {
              onEverywhere({ chosen: NOTHING_CHOSEN, isEverywhere: true, version: null });
            }}
          >
            {word("search.widen")}
          </button>
        </p>
      )}
      {suggestions.length > 0 && (
        <div>
          <p>{word("search.try")}</p>
          <ul className="suggestions">
            {suggestions.map((suggestion) => (
              <li key={suggestion}>
                <button
                  type="button"
                  className="chip"
                  onClick={() => {
                    onAsk(suggestion.toLowerCase());
                  }}
                >
                  {suggestion}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {missingResultsUrl !== null && (
        <p>
          {word("search.missing")}{" "}
          <a
            className="search-report"
            href={missingResultsUrl.replaceAll("{query}", encodeURIComponent(query))}
            target="_blank"
            rel="noopener noreferrer"
          >
            {word("search.missing.report")}
          </a>
        </p>
      )}
      <SearchEmpty />
    </div>
  );
}

function reasonOf({ chosen, isEverywhere }: Question): "filters" | "query" | "edition" {
  if (chosen.section.length + chosen.kind.length > 0) return "filters";
  return isEverywhere ? "query" : "edition";
}
