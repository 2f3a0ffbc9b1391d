import type { ReactNode } from "react";
import { withBase } from "octavo";
import Admonition from "./admonition";
import { Card as Panel, CardGrid } from "./starlight";

type Props = { children?: ReactNode; className?: string };
type LinkProps = Props & { href?: string; to?: string };

export function Link({ children, className, href, to }: LinkProps) {
  const address = to ?? href ?? "";
  return (
    <a className={className} href={address.startsWith("/") ? withBase(address) : address}>
      {children}
    </a>
  );
}

export function Button(props: LinkProps) {
  return <Link {...props} className={props.className ?? "button-link"} />;
}

export function Callout({ type = "note", title, children }: Props & { type?: string; title?: ReactNode }) {
  return (
    <Admonition type={type} title={title}>
      {children}
    </Admonition>
  );
}

export function Card({ title, description, children, href, to }: LinkProps & { title?: string; description?: string }) {
  const shown = href ?? to ? <Link href={href} to={to}>{title}</Link> : title;
  return (
    <Panel title={shown}>
      {description}
      {children}
    </Panel>
  );
}

export function Step({ title, children }: Props & { title?: ReactNode }) {
  return (
    <div>
      {title ? <p><strong>{title}</strong></p> : null}
      {children}
    </div>
  );
}

const Content = ({ children, className }: Props) => <div className={className}>{children}</div>;

export const Steps = Object.assign(Content, { Root: Content, Step });
export const Cards = CardGrid;
export const Badge = ({ children }: Props) => <span className="badge">{children}</span>;
export const Raw = Content;
export const HomePage = {
  Root: Content,
  Button,
  Buttons: ({ children }: Props) => <div className="block block-actions">{children}</div>,
  Description: Content,
  InstallPackage: ({ name = "", type = "install" }: { name?: string; type?: string }) => (
    <pre>
      <code>{`npm ${type === "init" ? "init" : "install"} ${name}`}</code>
    </pre>
  ),
  Logo: () => null,
  Tagline: ({ children }: Props) => <p><strong>{children}</strong></p>,
};
