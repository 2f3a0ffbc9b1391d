interface ErrorScreenProps {
  /** What may help. */
  help: string | null;
  onRetry: () => void;
}

/** There is no answer; stays until there is one. */
export function ErrorScreen({ help, onRetry }: ErrorScreenProps) {
  return (
    <div className="search-message">
      <p className="search-message-title">Unable to fetch results</p>
      {help !== null && help !== "" && <p>{help}</p>}
      <p>
        <button type="button" className="button button-primary" onClick={onRetry}>
          Retry
        </button>
      </p>
    </div>
  );
}
