import type { ParameterView } from "../../payload.gen";
import { Breakable } from "../../ui/Breakable";
import { Html } from "./Html";
import { SchemaBody, SchemaType } from "./Schema";
import { word } from "../../ui/words";

const PLACES = ["path", "query", "header", "cookie"] as const;

/** The parameters of an operation, by place: path, query, header, cookie. */
export function Parameters({ parameters }: { parameters: readonly ParameterView[] }) {
  return PLACES.map((place) => {
    const found = parameters.filter((parameter) => parameter.place === place);
    if (found.length === 0) return null;
    return (
      <div key={place}>
        <p className="api-part-label">{word(`api.place.${place}`)}</p>
        <ul className="api-fields">
          {found.map((parameter) => (
            <Parameter key={parameter.name} parameter={parameter} />
          ))}
        </ul>
      </div>
    );
  });
}

function Parameter({ parameter }: { parameter: ParameterView }) {
  const { body } = parameter;
  return (
    <li id={parameter.anchor}>
      <p className="api-field">
        <a href={`#${parameter.anchor}`} className="api-name">
          <Breakable name={parameter.name} />
        </a>{" "}
        <SchemaType schema={body} />
        {parameter.isRequired && <span className="api-required"> {word("api.required")}</span>}
        {parameter.isDeprecated && <span className="api-flag api-flag-deprecated"> {word("api.deprecated")}</span>}
      </p>
      <Html className="api-about" html={parameter.html || body.html} />
      <SchemaBody schema={{ ...body, facts: [...body.facts, ...parameter.facts] }} depth={1} />
    </li>
  );
}
