import { errorMessages } from "../ui/errorMessages";

interface PageCrashProps {
  error: unknown;
  onRetry: () => void;
}

/** Replaces a page whose rendering failed. */
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
