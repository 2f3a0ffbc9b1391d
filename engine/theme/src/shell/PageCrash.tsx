/** Messages of an error and of what caused it, outermost first. */
export function errorMessages(error: unknown): string[] {
  const messages: string[] = [];
  for (let one = error; one != null && messages.length < 10; one = one instanceof Error ? one.cause : null) {
    messages.push(one instanceof Error ? one.message : typeof one === "string" ? one : "Unknown error.");
  }
  return messages;
}

interface PageCrashProps {
  error: unknown;
  onRetry: () => void;
}

/** What stands in place of a page that could not be drawn. */
export function PageCrash({ error, onRetry }: PageCrashProps) {
  return (
    <div className="article" role="alert">
      <h1>This page crashed.</h1>
      <p className="crash-actions">
        <button type="button" className="button button-primary" onClick={onRetry}>
          Try again
        </button>
      </p>
      {errorMessages(error).map((message, index) => (
        <pre key={index} className="crash-message">
          {index === 0 ? message : `Cause: ${message}`}
        </pre>
      ))}
    </div>
  );
}
