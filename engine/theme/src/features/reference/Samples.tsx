import type { ExampleView, OperationView } from "../../payload.gen";
import { Html } from "./Html";

/** Beside an operation: the request in several languages, and what is sent and answered. */
export function Samples({ operation }: { operation: OperationView }) {
  const sent = operation.body?.contents.flatMap(({ examples }) => examples) ?? [];
  const answered = operation.responses.flatMap(({ status, contents }) =>
    contents.flatMap(({ examples }) => examples.map((example) => ({ status, example }))),
  );
  return (
    <div className="api-side">
      <Choice label="Request" name={`${operation.anchor}/samples`} examples={operation.samples} />
      {sent.length > 1 && <Choice label="Request bodies" name={`${operation.anchor}/bodies`} examples={sent} />}
      {answered.length > 0 && (
        <Choice
          label="Responses"
          name={`${operation.anchor}/answers`}
          examples={answered.map(({ status, example }) => ({
            label: example.label === "Example" ? status : `${status}: ${example.label}`,
            html: example.html,
          }))}
        />
      )}
    </div>
  );
}

/** One of several blocks is open: the browser's own accordion, which needs no script. */
function Choice({ label, name, examples }: { label: string; name: string; examples: readonly ExampleView[] }) {
  if (examples.length === 0) return null;
  return (
    <div className="api-choice">
      <p className="api-part-label">{label}</p>
      {examples.map((example, index) => (
        <details key={index} name={name} open={index === 0}>
          <summary>{example.label}</summary>
          <Html html={example.html} />
        </details>
      ))}
    </div>
  );
}
