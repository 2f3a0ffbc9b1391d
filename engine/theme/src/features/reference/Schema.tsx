import type { FieldView, SchemaPart, SchemaView } from "../../payload.gen";
import { Breakable } from "../../ui/Breakable";
import { Facts } from "./Facts";
import { Html } from "./Html";
import { labelOf } from "./labels";
import { word } from "../../ui/words";

/** Deeper levels lie folded, so that a page is not longer than what it says first. */
const OPEN_LEVELS = 1;

/** What a value is, in words: its type, the schema that it refers to, its marks. */
export function SchemaType({ schema }: { schema: SchemaView }) {
  const { type, link, flags } = schema;
  return (
    <span className="api-type">
      {type || (link === null ? word("api.anything") : "")}
      {type !== "" && link !== null && " "}
      {link !== null && <a href={link.href}>{link.label}</a>}
      {flags.map((flag) => (
        <span key={flag} className={`api-flag api-flag-${flag}`}>
          {" "}
          {labelOf(flag)}
        </span>
      ))}
    </span>
  );
}

/** Everything about a schema but its type. */
export function SchemaBody({ schema, depth = 0 }: { schema: SchemaView; depth?: number }) {
  return (
    <>
      <Facts facts={schema.facts} values={schema.values} />
      <Fields fields={schema.fields} depth={depth} />
      {schema.parts.map((part, index) => (
        <Part key={index} part={part} depth={depth} />
      ))}
    </>
  );
}

function hasInside(schema: SchemaView): boolean {
  return schema.fields.length > 0 || schema.parts.length > 0;
}

function Fields({ fields, depth }: { fields: readonly FieldView[]; depth: number }) {
  if (fields.length === 0) return null;
  return (
    <ul className="api-fields">
      {fields.map((field) => (
        <li key={field.name} id={field.anchor || undefined}>
          <p className="api-field">
            {field.href === "" ? <Breakable name={field.name} /> : <FieldLink field={field} />}{" "}
            <SchemaType schema={field.body} />
            {field.isRequired && <span className="api-required"> {word("api.required")}</span>}
          </p>
          <Html className="api-about" html={field.body.html} />
          <Inside schema={field.body} name={field.name} depth={depth} />
        </li>
      ))}
    </ul>
  );
}

function FieldLink({ field }: { field: FieldView }) {
  return (
    <a href={field.href} className="api-name">
      <Breakable name={field.name} />
    </a>
  );
}

/** What is inside a field: facts at once, fields and parts folded where they lie deep, or on a page of their own. */
function Inside({ schema, name, depth }: { schema: SchemaView; name: string; depth: number }) {
  if (schema.inside !== "")
    return (
      <>
        <Facts facts={schema.facts} values={schema.values} />
        <p className="api-elsewhere">
          <a href={schema.inside}>{word("api.inside", { name })}</a>
        </p>
      </>
    );
  if (!hasInside(schema)) return <Facts facts={schema.facts} values={schema.values} />;
  if (depth < OPEN_LEVELS && schema.fields.length === 0) return <SchemaBody schema={schema} depth={depth + 1} />;
  return (
    <>
      <Facts facts={schema.facts} values={schema.values} />
      <details className="api-inside">
        <summary>{word("api.inside", { name })}</summary>
        <Fields fields={schema.fields} depth={depth + 1} />
        {schema.parts.map((part, index) => (
          <Part key={index} part={part} depth={depth + 1} />
        ))}
      </details>
    </>
  );
}

function Part({ part, depth }: { part: SchemaPart; depth: number }) {
  return (
    <div className="api-part">
      <p className="api-part-label">{labelOf(part.label)}</p>
      <Html className="api-about" html={part.html} />
      {part.schemas.length > 0 && (
        <ul className="api-options">
          {part.schemas.map((schema, index) => (
            <li key={index}>
              <SchemaType schema={schema} />
              <Html className="api-about" html={schema.html} />
              <SchemaBody schema={schema} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
