import type { CallbackView, OperationView } from "../../payload.gen";
import { ApiHeading } from "./ApiHeading";
import { Breakable } from "../../ui/Breakable";
import { Contents } from "./Content";
import { Facts } from "./Facts";
import { Guides } from "./Guides";
import { Html } from "./Html";
import { Method } from "./Method";
import { Parameters } from "./Parameters";
import { Responses } from "./Responses";
import { Samples } from "./Samples";
import { optionalWord, word } from "../../ui/words";

/** An operation: what it does, what it takes and what it answers; beside it, requests as one would write them. */
export function ApiOperation(operation: OperationView) {
  const { anchor, headingAnchor, level, parameters, body, responses } = operation;
  return (
    <section className="api-operation" id={anchor} data-level={level}>
      {operation.moreAnchors.map((other) => (
        <span key={other} id={other} />
      ))}
      {operation.hasHeading ? (
        <ApiHeading level={level} id={headingAnchor}>
          {operation.title}
        </ApiHeading>
      ) : (
        <span id={headingAnchor} />
      )}
      <div className="api-columns">
        <div className="api-text">
          <Address operation={operation} />
          <Html className="api-about" html={operation.html} />
          {operation.links.map((link) => (
            <p key={link.href}>
              <a href={link.href}>{link.label}</a>
            </p>
          ))}
          <Facts facts={operation.facts} />
          <Guides guides={operation.guides} />
          {operation.servers.length > 0 && (
            <p>
              <strong>{word("api.server")}:</strong> <Breakable name={operation.servers.join(", ")} />
            </p>
          )}
          {operation.security.length > 0 && (
            <p>
              <strong>{word("api.authentication")}:</strong> {operation.security.join(`, ${word("api.or")} `)}
            </p>
          )}
          {parameters.length > 0 && (
            <>
              <ApiHeading level={level + 1} id={`${anchor}/parameters`}>
                {word("api.parameters")}
              </ApiHeading>
              <Parameters parameters={parameters} />
            </>
          )}
          {body !== null && (
            <>
              <ApiHeading level={level + 1} id={body.anchor}>
                {word(body.isRequired ? "api.body" : "api.body.optional")}
              </ApiHeading>
              <Html className="api-about" html={body.html} />
              <Facts facts={body.facts} />
              <Contents contents={body.contents} />
            </>
          )}
          {responses.length > 0 && (
            <>
              <ApiHeading level={level + 1} id={`${anchor}/responses`}>
                {word("api.responses")}
              </ApiHeading>
              <Responses responses={responses} />
            </>
          )}
          {operation.callbacks.length > 0 && (
            <>
              <ApiHeading level={level + 1}>{word("api.callbacks")}</ApiHeading>
              {operation.callbacks.map((callback) => (
                <Callback key={callback.anchor} callback={callback} />
              ))}
            </>
          )}
        </div>
        <Samples operation={operation} />
      </div>
    </section>
  );
}

/** A request that the server makes in return, folded: readers come for the operation. */
function Callback({ callback }: { callback: CallbackView }) {
  const { name, anchor, method, path, html, facts, parameters, body, responses } = callback;
  return (
    <details id={anchor} className="api-response api-callback">
      <summary>
        {name}: <Method method={method} /> <Breakable name={path} />
      </summary>
      <Html className="api-about" html={html} />
      <Facts facts={facts} />
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body !== null && (
        <>
          <p className="api-part-label" id={body.anchor}>
            {word(body.isRequired ? "api.body" : "api.body.optional")}
          </p>
          <Html className="api-about" html={body.html} />
          <Facts facts={body.facts} />
          <Contents contents={body.contents} />
        </>
      )}
      <Responses responses={responses} />
    </details>
  );
}

function Address({ operation }: { operation: OperationView }) {
  return (
    <div className="api-address">
      <p>
        <Method method={operation.method} /> <Breakable name={operation.path} />
        {operation.isDeprecated && <span className="api-flag api-flag-deprecated"> {word("api.deprecated")}</span>}
      </p>
      <p className="api-tools">
        {operation.console !== "" && (
          <button
            type="button"
            className="api-try"
            data-intent=""
            aria-expanded={false}
            data-console={operation.console}
            data-words={optionalWord("api.console")}
            data-command={operation.command}
            data-key={operation.pointer}
            data-title={operation.title}
            aria-label={`${word("api.try")}: ${operation.title}`}
          >
            {word("api.try")}
          </button>
        )}
        {operation.samples.some(({ label }) => label === "curl") && (
          <button
            type="button"
            className="api-copy"
            data-intent=""
            data-copy="curl"
            aria-label={`${word("api.copy.curl")}: ${operation.title}`}
          >
            {word("api.copy.curl")}
          </button>
        )}
        {/* On a page of its own, the menu of the page offers both. */}
        {operation.hasHeading && (
          <>
            <button
              type="button"
              className="api-copy"
              data-intent=""
              data-copy={operation.markdown}
              aria-label={`${word("pageMenu.copy")}: ${operation.title}`}
            >
              {word("pageMenu.copy")}
            </button>
            <a href={operation.markdown} aria-label={`Markdown: ${operation.title}`}>
              Markdown
            </a>
          </>
        )}
      </p>
    </div>
  );
}
