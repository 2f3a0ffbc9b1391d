import { useId, useRef, useState, type RefObject } from "react";
import {
  choicesOf,
  emptyOf,
  fieldsOf,
  kindOf,
  readBody,
  shown,
  typeOf,
  withValue,
  writeBody,
  type Path,
} from "./bodyValue";
import { say } from "./consoleWords";
import { asList, asObject, writeValue, type Json, type JsonObject } from "./description";

interface BodyFieldsProps {
  root: JsonObject;
  schema: JsonObject;
  /** The body as text: this is what is sent, and the fields show its values. */
  text: string;
  onChange: (text: string) => void;
}

/** The fields of a body, made of its schema. Nothing where it has none. */
export function BodyFields({ root, schema, text, onChange }: BodyFieldsProps) {
  const read = readBody(text);
  const whole = shown(root, schema);
  const kind = kindOf(root, whole);
  if (kind !== "object" && kind !== "list") return null;
  if (read === null) return <p className="api-note">{say("console.fields.back")}</p>;
  const change = (path: Path, value: Json): void => {
    onChange(writeBody(withValue(read.value, path, value)));
  };
  return (
    <fieldset className="api-console-fields">
      <legend>{say("console.fields")}</legend>
      <Inside root={root} schema={whole} value={read.value} path={[]} label={say("console.item")} change={change} />
    </fieldset>
  );
}

interface PartProps {
  root: JsonObject;
  schema: JsonObject;
  value: Json;
  path: Path;
  /** What the part is called. */
  label: string;
  change: (path: Path, value: Json) => void;
}

/** The fields of an object, or the items of a list. */
function Inside(props: PartProps) {
  const { root, schema, value, path, label, change } = props;
  if (kindOf(root, schema) === "list") return <Items {...props} label={label} />;
  return fieldsOf(root, schema).map((field) => (
    <Part
      key={field.name}
      root={root}
      schema={field.schema}
      value={asObject(value)[field.name]}
      path={[...path, field.name]}
      label={field.name}
      isRequired={field.isRequired}
      change={change}
    />
  ));
}

function Items({ root, schema, value, path, label, change }: PartProps) {
  const items = asList(value);
  const inner = shown(root, schema.items);
  const add = useRef<HTMLButtonElement>(null);
  return (
    <>
      {items.map((item, index) => (
        <div key={index} className="api-console-item">
          <Part
            root={root}
            schema={inner}
            value={item}
            path={[...path, index]}
            label={`${label} ${index + 1}`}
            isRequired
            change={change}
          />
          <Action
            label={say("console.remove", { name: `${label} ${index + 1}` })}
            onClick={() => {
              change([...path, index], undefined);
              add.current?.focus();
            }}
          />
        </div>
      ))}
      <Action
        own={add}
        label={say("console.add", { name: label })}
        onClick={() => {
          change([...path, items.length], emptyOf(root, inner));
        }}
      />
    </>
  );
}

function Part(props: PartProps & { isRequired: boolean }) {
  const kind = kindOf(props.root, props.schema);
  return kind === "object" || kind === "list" ? <Group {...props} /> : <Leaf {...props} />;
}

/** An object or a list. What is not given stays folded: a schema may hold itself. */
function Group({ root, schema, value, path, label, isRequired, change }: PartProps & { isRequired: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const set = (next: Json): void => {
    change(path, next);
    // The button that was pressed goes away.
    place.current?.focus();
  };
  const isGiven = value !== undefined && value !== null;
  return (
    <div ref={place} tabIndex={-1}>
      {isGiven ? (
        <fieldset className="api-console-fields">
          <legend>{label}</legend>
          <Inside root={root} schema={schema} value={value} path={path} label={label} change={change} />
          {!isRequired && (
            <Action
              label={say("console.leaveOut", { name: label })}
              onClick={() => {
                set(undefined);
              }}
            />
          )}
        </fieldset>
      ) : (
        <Action
          label={say(isRequired ? "console.give.required" : "console.give", { name: label })}
          onClick={() => {
            set(emptyOf(root, schema));
          }}
        />
      )}
    </div>
  );
}

function Leaf({ root, schema, value, path, label, isRequired, change }: PartProps & { isRequired: boolean }) {
  const id = useId();
  const kind = kindOf(root, schema);
  const type = typeof schema.format === "string" ? schema.format : typeOf(schema);
  const input: InputProps = {
    id,
    value,
    isRequired,
    set: (next) => {
      change(path, next);
    },
  };
  return (
    <div className="api-console-row">
      <label htmlFor={id}>
        {label} ({[type, say(isRequired ? "console.required" : "console.optional")].filter(Boolean).join(", ")})
      </label>
      {kind === "choice" ? (
        <Choice {...input} schema={schema} />
      ) : kind === "json" ? (
        <JsonInput {...input} />
      ) : (
        <TextInput {...input} isNumber={kind === "number"} />
      )}
    </div>
  );
}

/** Text, or a number as it was typed; what is not a number stays text, and is found before it is sent. */
function TextInput({ id, value, isRequired, set, isNumber }: InputProps & { isNumber: boolean }) {
  const [draft, setDraft] = useState("");
  const isDrafted = typeof value === "number" && draft.trim() !== "" && Number(draft) === value;
  const text = isDrafted ? draft : value === undefined || value === null ? "" : writeValue(value);
  return (
    <input
      id={id}
      value={text}
      required={isRequired}
      spellCheck={false}
      inputMode={isNumber ? "decimal" : undefined}
      onChange={({ target: { value: typed } }) => {
        setDraft(typed);
        if (typed === "" && !isRequired) set(undefined);
        else set(isNumber && typed.trim() !== "" && Number.isFinite(Number(typed)) ? Number(typed) : typed);
      }}
    />
  );
}

interface InputProps {
  id: string;
  value: Json;
  isRequired: boolean;
  set: (value: Json) => void;
}

function Choice({ id, schema, value, isRequired, set }: InputProps & { schema: JsonObject }) {
  const choices = choicesOf(schema);
  const chosen = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
  return (
    <select
      id={id}
      value={chosen}
      required={isRequired}
      onChange={(event) => {
        set(choices[Number(event.target.value)]);
      }}
    >
      <option value={-1}>{say("console.notGiven")}</option>
      {choices.map((choice, index) => (
        <option key={index} value={index}>
          {writeValue(choice)}
        </option>
      ))}
    </select>
  );
}

/** A value as JSON; until it is that, it stays in the field alone. */
function JsonInput({ id, value, isRequired, set }: InputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <input
      id={id}
      value={draft ?? (value === undefined ? "" : JSON.stringify(value))}
      required={isRequired}
      spellCheck={false}
      aria-invalid={draft !== null}
      placeholder="JSON"
      onChange={(event) => {
        const read = readBody(event.target.value);
        setDraft(read === null ? event.target.value : null);
        if (read !== null) set(read.value);
      }}
    />
  );
}

interface ActionProps {
  label: string;
  onClick: () => void;
  own?: RefObject<HTMLButtonElement | null>;
}

function Action({ label, onClick, own }: ActionProps) {
  return (
    <button type="button" ref={own} className="api-console-change" onClick={onClick}>
      {label}
    </button>
  );
}
