import type { ExampleView, OperationView } from "../../payload.gen";
import { Html } from "./Html";
import { word } from "../../ui/words";

/** The style sheet has a rule for as many tabs; more examples are folded one below the other. */
const MOST_TABS = 8;

/** Beside an operation: the request in several languages, and what is sent and answered. */
export function Samples({ operation }: { operation: OperationView }) {
  const sent = toldApart(
    operation.body?.contents.flatMap(({ mediaType, examples }) =>
      examples.map(({ label, html }) => ({ label: label === PLAIN ? "" : label, mediaType, html })),
    ) ?? [],
  );
  const answered = toldApart(
    operation.responses.flatMap(({ status, contents }) =>
      contents.flatMap(({ mediaType, examples }) =>
        examples.map(({ label, html }) => ({
          label: label === PLAIN ? status : `${status}: ${label}`,
          mediaType,
          html,
        })),
      ),
    ),
  );
  if (operation.samples.length + sent.length + answered.length === 0) return null;
  return (
    <div className="api-side">
      <Choice
        label={word("api.request")}
        name={`${operation.anchor}/samples`}
        examples={operation.samples}
        isLanguage
      />
      {sent.length > 1 && (
        <Choice label={word("api.request.bodies")} name={`${operation.anchor}/bodies`} examples={sent} />
      )}
      {answered.length > 0 && (
        <Choice label={word("api.examples")} name={`${operation.anchor}/answers`} examples={answered} />
      )}
    </div>
  );
}

/** Name of an example that has none of its own. */
const PLAIN = "Example";

/** Add the kind of their content to examples of the same name. */
function toldApart(examples: readonly { label: string; mediaType: string; html: string }[]): ExampleView[] {
  return examples.map(({ label, mediaType, html }) => {
    const isAlone = examples.filter((other) => other.label === label).length === 1;
    return { label: isAlone ? label || PLAIN : [label, mediaType].filter(Boolean).join(" "), html };
  });
}

interface ChoiceProps {
  label: string;
  /** Of the group of controls; unique in the page. */
  name: string;
  examples: readonly ExampleView[];
  /** The choice is remembered and followed by all other groups; see `followLanguage.ts`. */
  isLanguage?: boolean;
}

/** One of several blocks is shown: radio buttons, which need no script and which the style sheet shows as tabs. */
function Choice({ label, name, examples, isLanguage = false }: ChoiceProps) {
  if (examples.length === 0) return null;
  if (examples.length > MOST_TABS) return <Folded label={label} name={name} examples={examples} />;
  return (
    <fieldset className="api-choice" data-language={isLanguage ? "" : undefined}>
      <legend>{label}</legend>
      {examples.length > 1 && (
        <div className="api-tabs">
          {examples.map((example, index) => (
            <label key={index}>
              <input type="radio" name={name} value={example.label} defaultChecked={index === 0} />
              <span>{example.label}</span>
            </label>
          ))}
        </div>
      )}
      {examples.map((example, index) => (
        <div key={index} className="api-panel" data-label={example.label}>
          <Html html={example.html} />
        </div>
      ))}
    </fieldset>
  );
}

/** The browser's own accordion. */
function Folded({ label, name, examples }: ChoiceProps) {
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
