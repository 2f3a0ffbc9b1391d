import type { SchemaCard } from "../../payload.gen";
import { ApiHeading } from "./ApiHeading";
import { BreakableText } from "../../ui/Breakable";
import { Html } from "./Html";
import { SchemaBody, SchemaType } from "./Schema";
import { word } from "../../ui/words";

/** A named schema at its home, to which all references lead. */
export function ApiSchema({ name, anchor, level, body, example }: SchemaCard) {
  return (
    <section className="api-schema">
      <ApiHeading level={level} id={anchor}>
        <BreakableText name={name} />
      </ApiHeading>
      <div className="api-columns">
        <div className="api-text">
          <p className="api-field">
            <SchemaType schema={body} />
          </p>
          <Html className="api-about" html={body.html} />
          <SchemaBody schema={body} />
        </div>
        {example !== "" && (
          <div className="api-side">
            <div className="api-choice">
              <p className="api-part-label">{word("api.example")}</p>
              <Html html={example} />
            </div>
          </div>
        )}
      </div>
    </section>
  );
}
