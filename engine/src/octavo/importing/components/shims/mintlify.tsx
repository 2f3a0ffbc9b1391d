import { Children, isValidElement, type ReactElement, type ReactNode } from "react";
import Admonition from "./admonition";
import { Accordion } from "./fumadocs";
import Link from "./link";
import { Steps } from "./starlight";
import TabItem from "./tab-item";
import Frame from "./tabs";

interface Given {
  title?: string;
  href?: string;
  label?: string;
  children?: ReactNode;
}

const kind = (type: string) =>
  function Callout({ title, children }: Given) {
    return (
      <Admonition type={type} title={title}>
        {children}
      </Admonition>
    );
  };

export const Note = kind("note");
export const Info = kind("info");
export const Tip = kind("tip");
export const Check = kind("tip");
export const Warning = kind("warning");
export const Danger = kind("danger");

export function Card({ title, href, children }: Given) {
  return (
    <section>
      <p>
        <strong>{href ? <Link href={href}>{title}</Link> : title}</strong>
      </p>
      {children}
    </section>
  );
}

const Group = ({ children }: Given) => <div>{children}</div>;

export { Accordion, Steps };
export { Group as AccordionGroup, Group as CardGroup, Group as Column, Group as Columns, Group as Frame };
export const Step = Card;
export const Tab = TabItem;

export function Tabs({ children }: Given) {
  const tabs = Children.toArray(children).filter(isValidElement) as ReactElement<Given>[];
  return (
    <Frame>
      {tabs.map(({ props }, number) => (
        <TabItem key={number} value={props.title ?? `${number + 1}`}>
          {props.children}
        </TabItem>
      ))}
    </Frame>
  );
}

export const Icon = () => null;
export const Tooltip = ({ children }: Given) => <>{children}</>;
