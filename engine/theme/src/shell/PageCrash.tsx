import { errorMessages } from "../ui/errorMessages";
import { word } from "../ui/words";

interface PageCrashProps {
  error: unknown;
  onRetry: () => void;
}

/** Replaces a page whose rendering failed. */
export function PageCrash({ error, onRetry }: PageCrashProps) {
  return (
    <div className="article" role="alert">
      <h1>{word("crash")}</h1>
      <p className="crash-actions">
        <button type="button" className="button button-primary" onClick={onRetry}>
          {word("crash.retry")}
        </button>
      </p>
      {errorMessages(error).map((message, index) => (
        <pre key={index} className="chunk-error">
          {index === 0 ? message : word("crash.cause", { message })}
        </pre>
      ))}
    </div>
  );
}
