import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { frameOf, readToken, send, type Compiled } from "./playground/preview";
import "./playground/playground.css";

export const client = "visible";

interface Props {
  /** Markdown that is there first. `children` is its result, made by the build. */
  text: string;
  children?: ReactNode;
}

/** Time after the last key press, in milliseconds, until the text is sent. */
const PAUSE = 250;

/** Markdown at one side, the page at the other. `octavo dev` compiles what is typed; a published site shows the first text. */
export default function Playground({ text, children }: Props) {
  const id = useId();
  const [token, setToken] = useState<string>();
  const [typed, setTyped] = useState(text);
  const [compiled, setCompiled] = useState<Compiled>();
  // The build has made the result of the first text.
  const shown = useRef(text);

  useEffect(() => setToken(readToken()), []);

  useEffect(() => {
    if (token === undefined || typed === shown.current) return;
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      void send(typed, token, aborter.signal).then((found) => {
        if (found === undefined) return;
        shown.current = typed;
        setCompiled(found);
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [typed, token]);

  return (
    <div className="playground">
      <div>
        <label htmlFor={id}>Markdown</label>
        <textarea
          id={id}
          value={typed}
          readOnly={token === undefined}
          spellCheck={false}
          rows={24}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <div>
        <p className="playground-label">Page</p>
        {compiled?.html ? (
          <iframe title="Page made from the Markdown" sandbox="allow-same-origin" srcDoc={frameOf(compiled.html)} />
        ) : (
          <div className="playground-page">{children}</div>
        )}
      </div>
      <output htmlFor={id}>
        {compiled?.findings.length ? (
          <ul>
            {compiled.findings.map((finding) => (
              <li key={`${finding.line}:${finding.column}:${finding.code}`}>
                Line {finding.line}, column {finding.column}: {finding.message} <code>{finding.code}</code>
              </li>
            ))}
          </ul>
        ) : token === undefined ? (
          "This site is published, so the result was made by its build. In the preview of octavo dev you can type."
        ) : (
          "No findings."
        )}
      </output>
    </div>
  );
}
