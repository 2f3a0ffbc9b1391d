import type { Answer } from "./query/answer";
import { NOTHING_CHOSEN, type Question } from "./query/question";

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
      <p className="search-message-title">
        No results for &quot;<strong>{query}</strong>&quot;
      </p>
      {elsewhere > 0 && (
        <p>
          {elsewhere === 1 ? "One is" : `${elsewhere.toLocaleString("en")} are`} hidden by {reasonOf(question)}.{" "}
          <button
            type="button"
            className="button"
            onClick={() => {
              onEverywhere({ chosen: NOTHING_CHOSEN, isEverywhere: true });
            }}
          >
            Search everywhere
          </button>
        </p>
      )}
      {suggestions.length > 0 && (
        <div>
          <p>Try searching for</p>
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
          Believe this query should return results?{" "}
          <a
            className="search-report"
            href={missingResultsUrl.replaceAll("{query}", encodeURIComponent(query))}
            target="_blank"
            rel="noopener noreferrer"
          >
            Let us know.
          </a>
        </p>
      )}
    </div>
  );
}

function reasonOf({ chosen, isEverywhere }: Question): string {
  if (chosen.section.length + chosen.kind.length > 0) return "the filters";
  return isEverywhere ? "the query" : "the filter on this language and version";
}
