import type { AnchorHTMLAttributes } from "react";
import { Icon } from "./Icon";

/** Whether an address leaves the site: it names a protocol or a host. */
export function isExternal(href: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href);
}

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** Draw the arrow that marks links out. */
  marksExternal?: boolean;
}

/** A link; one that leads out opens a tab of its own. */
export function Anchor({ marksExternal = false, children, ...props }: AnchorProps) {
  const leavesSite = isExternal(props.href);
  return (
    <a {...props} {...(leavesSite && { target: "_blank", rel: "noopener noreferrer" })}>
      {children}
      {leavesSite && marksExternal && <Icon name="external" />}
    </a>
  );
}
