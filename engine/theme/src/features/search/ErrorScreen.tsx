import { word } from "../../ui/words";

interface ErrorScreenProps {
  /** What may help. */
  help: string | null;
  onRetry: () => void;
}

/** There is no answer; stays until there is one. */
export function ErrorScreen({ help, onRetry }: ErrorScreenProps) {
  return (
    <div className="search-message">
      <p className="search-message-title">{word("search.failed")}</p>
      {help !== null && help !== "" && <p>{help}</p>}
      <p>
        <button type="button" className="button button-primary" onClick={onRetry}>
          {word("retry")}
        </button>
      </p>
    </div>
  );
}
