import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from "react";
import { BodyFields } from "./BodyFields";
import type { JsonObject, OperationForm, Parameter } from "./description";
import { word } from "../../../ui/words";
import { say } from "./consoleWords";
import { asList, writeValue } from "./description";
import { findMistakes, makeRequest, serverOf, writeCurl, type Filled } from "./request";
import { explainFailure, send, type Answer } from "./send";
import "./console.css";

interface ConsoleProps {
  root: JsonObject;
  form: OperationForm;
  /** Command that starts the API on this machine. */
  command: string;
  title: string;
  onClose: () => void;
}

/** A form that sends one request, to a server that the reader confirms. */
export function Console({ root, form, command, title, onClose }: ConsoleProps) {
  const [filled, setFilled] = useState<Filled>(() => startValues(form));
  const [mistakes, setMistakes] = useState<string[]>([]);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failure, setFailure] = useState<string[]>([]);
  const [isWaiting, setIsWaiting] = useState(false);
  const [confirmed, setConfirmed] = useState("");
  const sending = useRef<AbortController | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const request = useMemo(() => makeRequest(form, filled), [form, filled]);
  const server = serverOf(filled.server) ?? "";
  useEffect(() => {
    heading.current?.focus();
    return () => sending.current?.abort();
  }, []);
  const change = (part: Partial<Filled>): void => {
    setFilled({ ...filled, ...part });
  };

  const submit = async (): Promise<void> => {
    const found = findMistakes(root, form, filled);
    setMistakes(found);
    setFailure([]);
    if (found.length > 0 || server !== confirmed) return;
    sending.current?.abort();
    const controller = new AbortController();
    sending.current = controller;
    setAnswer(null);
    setIsWaiting(true);
    try {
      await send(request, controller.signal, setAnswer);
    } catch {
      if (controller.signal.aborted) setAnswer((last) => last && { ...last, isDone: true });
      else setFailure(explainFailure(request.url, command));
    } finally {
      if (sending.current === controller) setIsWaiting(false);
    }
  };

  return (
    <form
      className="api-console"
      aria-label={say("console.name", { title })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="api-console-title" ref={heading} tabIndex={-1}>
        {say("console.title")}
      </p>
      <Row id={`${id}server`} label={say("console.server")}>
        <input
          id={`${id}server`}
          list={`${id}servers`}
          value={filled.server}
          spellCheck={false}
          onChange={(event) => {
            change({ server: event.target.value });
          }}
        />
        <datalist id={`${id}servers`}>
          {form.servers.map((url) => (
            <option key={url} value={url} />
          ))}
        </datalist>
      </Row>
      {form.credentials.map(({ name, label }) => (
        <Row key={name} id={id + name} label={say("console.credential", { label: say(label), name })}>
          <input
            id={id + name}
            type="password"
            autoComplete="off"
            value={filled.secrets[name] ?? ""}
            onChange={(event) => {
              change({ secrets: { ...filled.secrets, [name]: event.target.value } });
            }}
          />
        </Row>
      ))}
      {form.parameters
        .filter(({ place }) => place !== "cookie")
        .map((parameter) => {
          const key = `${parameter.place} ${parameter.name}`;
          return (
            <Row key={key} id={id + key} label={labelOf(parameter)}>
              <Input
                id={id + key}
                parameter={parameter}
                value={filled.values[key] ?? ""}
                onChange={(value) => {
                  change({ values: { ...filled.values, [key]: value } });
                }}
              />
            </Row>
          );
        })}
      {form.bodySchema !== null && filled.mediaType.includes("json") && (
        <BodyFields
          root={root}
          schema={form.bodySchema}
          text={filled.body}
          onChange={(body) => {
            change({ body });
          }}
        />
      )}
      {form.bodySchema !== null && (
        <Row
          id={`${id}body`}
          label={say(form.isBodyRequired ? "console.body.required" : "console.body", { type: filled.mediaType })}
        >
          <textarea
            id={`${id}body`}
            rows={Math.min(16, Math.max(4, filled.body.split("\n").length))}
            spellCheck={false}
            value={filled.body}
            onChange={(event) => {
              change({ body: event.target.value });
            }}
          />
        </Row>
      )}
      {server !== "" && (
        <label className="api-console-confirm">
          <input
            type="checkbox"
            checked={server === confirmed}
            onChange={(event) => {
              setConfirmed(event.target.checked ? server : "");
            }}
          />{" "}
          <Confirmation server={server} />
        </label>
      )}
      <p className="api-console-actions">
        <button type="submit" className="api-try" disabled={isWaiting || (server !== "" && server !== confirmed)}>
          {say("console.send")}
        </button>
        {isWaiting && (
          <button type="button" onClick={() => sending.current?.abort()}>
            {say("console.stop")}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {word("close")}
        </button>
      </p>
      <div role="alert">
        <List lines={mistakes} />
        <List lines={failure} />
      </div>
      <Block label={say("console.command")} text={writeCurl(request)} />
      <div aria-live="polite">
        {isWaiting && answer === null && <p>{say("console.waiting")}</p>}
        {answer !== null && <Shown answer={answer} />}
      </div>
    </form>
  );
}

/** The sentence that the reader confirms, its server set apart. */
function Confirmation({ server }: { server: string }) {
  const [before = "", after = ""] = say("console.confirm").split("{server}");
  return (
    <>
      {before}
      <strong dir="ltr">{server}</strong>
      {after}
    </>
  );
}

function startValues(form: OperationForm): Filled {
  const values: Record<string, string> = {};
  for (const { place, name, isRequired, example } of form.parameters)
    if (isRequired && example !== "") values[`${place} ${name}`] = example;
  return {
    server: form.servers[0] ?? "",
    values,
    secrets: {},
    body: form.bodyExample,
    mediaType: form.mediaTypes[0] ?? "",
  };
}

function labelOf({ name, place, isRequired }: Parameter): string {
  return `${name} (${place}${isRequired ? `, ${say("console.required")}` : ""})`;
}

function Row({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="api-console-row">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}

interface InputProps {
  id: string;
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}

function Input({ id, parameter, value, onChange }: InputProps) {
  const { type, enum: listed } = parameter.schema;
  const options = type === "boolean" ? [true, false] : asList(listed);
  if (options.length === 0)
    return (
      <input
        id={id}
        value={value}
        spellCheck={false}
        placeholder={parameter.example}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    );
  return (
    <select
      id={id}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    >
      <option value="">{say("console.notGiven")}</option>
      {options.map((option) => (
        <option key={writeValue(option)} value={writeValue(option)}>
          {writeValue(option)}
        </option>
      ))}
    </select>
  );
}

function List({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="api-console-findings">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <div className="api-console-block">
      <p className="api-part-label">{label}</p>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  );
}

function Shown({ answer }: { answer: Answer }) {
  const { status, statusText, tookMs, headers, body, isStream, isDone } = answer;
  const kind = status < 300 ? "success" : status < 400 ? "redirect" : "error";
  return (
    <div className="api-console-answer">
      <p>
        <strong className="api-status" data-kind={kind}>
          {status} {statusText}
        </strong>{" "}
        {say("console.took", { count: Math.round(tookMs) })}
        {isStream && `, ${say(isDone ? "console.stream.ended" : "console.stream.open")}`}
      </p>
      {headers.length > 0 && (
        <details>
          <summary>{say("console.headers")}</summary>
          <pre tabIndex={0}>{headers.map(([name, value]) => `${name}: ${value}`).join("\n")}</pre>
        </details>
      )}
      {body !== "" && <Block label={say(isStream ? "console.events" : "console.answer")} text={body} />}
      {body === "" && isDone && <p>{say("console.noBody")}</p>}
    </div>
  );
}
