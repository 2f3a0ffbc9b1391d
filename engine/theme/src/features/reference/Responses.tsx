import type { LinkView, ResponseView } from "../../payload.gen";
import { Breakable } from "../../ui/Breakable";
import { Contents } from "./Content";
import { Facts } from "./Facts";
import { Html } from "./Html";
import { SchemaBody, SchemaType } from "./Schema";
import { labelOf } from "./labels";
import { word } from "../../ui/words";

/** The answers of an operation by status; those of success lie open. */
export function Responses({ responses }: { responses: readonly ResponseView[] }) {
  return responses.map((response) => (
    <details key={response.status} id={response.anchor} className="api-response" open={response.kind === "success"}>
      <summary>
        <code className="api-status" data-kind={response.kind}>
          {response.status}
        </code>{" "}
        {labelOf(response.phrase)}
      </summary>
      <Html className="api-about" html={response.html} />
      <Facts facts={response.facts} />
      {response.note !== "" && <p className="api-note">{response.note}</p>}
      {response.headers.length > 0 && (
        <ul className="api-fields">
          {response.headers.map((header) => (
            <li key={header.name} id={header.anchor}>
              <p className="api-field">
                <Breakable name={header.name} /> <SchemaType schema={header.body} /> {word("api.header")}
              </p>
              <Html className="api-about" html={header.html || header.body.html} />
              <SchemaBody schema={header.body} depth={1} />
            </li>
          ))}
        </ul>
      )}
      <Contents contents={response.contents} />
      <Links links={response.links} />
    </details>
  ));
}

/** Requests that can follow an answer, with the values that it gives for them. */
function Links({ links }: { links: readonly LinkView[] }) {
  if (links.length === 0) return null;
  return (
    <>
      <p className="api-part-label">{word("api.follow")}</p>
      <ul className="api-fields">
        {links.map(({ name, operation, html, values }) => (
          <li key={name}>
            <p className="api-field">
              {name}:{" "}
              {operation.href === "" ? (
                <code>{operation.label}</code>
              ) : (
                <a href={operation.href}>
                  <code>{operation.label}</code>
                </a>
              )}
            </p>
            <Html className="api-about" html={html} />
            <Facts facts={values} />
          </li>
        ))}
      </ul>
    </>
  );
}
