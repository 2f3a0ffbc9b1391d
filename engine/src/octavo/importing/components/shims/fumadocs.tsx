import type { ReactNode } from "react";
import CodeFrame from "./code-block";
import { Callout, Cards, Steps, Tab } from "./nextra";
import { Card } from "./starlight";
import Frame from "./tabs";

interface Given {
  title?: ReactNode;
  name?: ReactNode;
  code?: ReactNode;
  items?: string[];
  value?: string;
  children?: ReactNode;
}

export { Callout, Card, Cards, Steps };
export const Step = ({ children }: Given) => <div>{children}</div>;
export const Tabs = Frame;
export { Tab };
export const TabsList = Step;
export const TabsTrigger = Step;
export const TabsContent = Step;
export const CodeBlock = ({ title, children }: Given) => <CodeFrame title={title}>{children}</CodeFrame>;
export const Pre = Step;
export const ServerCodeBlock = ({ code, title }: Given) => <CodeFrame title={title}>{code}</CodeFrame>;
export const DynamicCodeBlock = ServerCodeBlock;
/** Shows code without colors: those of the old site come from a program that loads them later. */
export const useShiki = (code: string) => <CodeFrame>{code}</CodeFrame>;
export const highlight = useShiki;
export const Accordions = Step;
export const Accordion = ({ title, children }: Given) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
);
export const Files = ({ children }: Given) => <ul>{children}</ul>;
export const File = ({ name }: Given) => <li>{name}</li>;
export const Folder = ({ name, children }: Given) => (
  <li>
    {name}
    <ul>{children}</ul>
  </li>
);

interface Field {
  type?: ReactNode;
  description?: ReactNode;
  default?: ReactNode;
}

export function TypeTable({ type }: { type: Record<string, Field> }) {
  return (
    <table>
      <tbody>
        {Object.entries(type).map(([name, one]) => (
          <tr key={name}>
            <th>
              <code>{name}</code>
            </th>
            <td>{one.type ? <code>{one.type}</code> : null}</td>
            <td>{one.default ? <code>{one.default}</code> : null}</td>
            <td>{one.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
