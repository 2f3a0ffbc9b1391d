import { withBase } from "octavo";
import type { AnchorHTMLAttributes, ReactNode } from "react";
import CodeBlock from "./code-block";

interface Box {
  title?: ReactNode;
  type?: string;
  icon?: string;
  children?: ReactNode;
}

export function Aside({ type = "note", title, children }: Box) {
  return (
    <div className={`admonition admonition-${type}`} role="note">
      <p className="admonition-title">{title ?? type[0].toUpperCase() + type.slice(1)}</p>
      <div className="admonition-body">{children}</div>
    </div>
  );
}

export function Badge({ text }: { text?: ReactNode; variant?: string; size?: string }) {
  return <strong>{text}</strong>;
}

export function Card({ title, children }: Box) {
  return (
    <section>
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </section>
  );
}

export function CardGrid({ children }: { stagger?: boolean; children?: ReactNode }) {
  return <div>{children}</div>;
}

export function Code({ code, title }: { code?: string; lang?: string; title?: ReactNode }) {
  return <CodeBlock title={title}>{code}</CodeBlock>;
}

export function FileTree({ children }: { children?: ReactNode }) {
  return <div>{children}</div>;
}

export function Icon() {
  return null;
}

interface Linked extends AnchorHTMLAttributes<HTMLAnchorElement> {
  description?: ReactNode;
  variant?: string;
  icon?: string;
  iconPlacement?: string;
}

export function LinkButton({ href = "", variant, icon, iconPlacement, description, ...rest }: Linked) {
  return <a {...rest} href={href.startsWith("/") ? withBase(href) : href} />;
}

export function LinkCard({ title, description, ...rest }: Linked) {
  return (
    <p>
      <LinkButton {...rest}>{title}</LinkButton> {description}
    </p>
  );
}

export function Steps({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}
