import type { ResponseView } from "../../payload.gen";
import { Contents } from "./Content";
import { Html } from "./Html";
import { SchemaType } from "./Schema";

/** The answers of an operation by status; those of success lie open. */
export function Responses({ responses }: { responses: readonly ResponseView[] }) {
  return responses.map((response) => (
    <details key={response.status} id={response.anchor} className="api-response" open={response.kind === "success"}>
      <summary>
        <code className="api-status" data-kind={response.kind}>
          {response.status}
        </code>{" "}
        {response.phrase}
      </summary>
      <Html className="api-about" html={response.html} />
      {response.note !== "" && <p className="api-note">{response.note}</p>}
      {response.headers.length > 0 && (
        <ul className="api-fields">
          {response.headers.map((header) => (
            <li key={header.name} id={header.anchor}>
              <p className="api-field">
                <code>{header.name}</code> <SchemaType schema={header.body} /> header
              </p>
              <Html className="api-about" html={header.html} />
            </li>
          ))}
        </ul>
      )}
      <Contents contents={response.contents} />
    </details>
  ));
}
