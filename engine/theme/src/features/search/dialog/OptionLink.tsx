import type { MouseEvent, ReactNode } from "react";
import { optionId, type Options } from "./useOptions";

interface OptionLinkProps {
  className: string;
  href: string;
  leavesSite: boolean;
  index: number;
  options: Options;
  /** The link is followed, wherever to. */
  onChoose: () => void;
  /** It is followed in this tab. */
  onLeave: () => void;
  children: ReactNode;
}

/** An option that is a link: what browsers do with links, they do with it. */
export function OptionLink(props: OptionLinkProps) {
  const { className, href, leavesSite, index, options, onChoose, onLeave, children } = props;
  const onClick = (event: MouseEvent): void => {
    onChoose();
    if (!(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) onLeave();
  };
  return (
    <a
      id={optionId(index)}
      className={className}
      role="option"
      aria-selected={options.active === index}
      tabIndex={-1}
      href={href}
      {...(leavesSite && { target: "_blank", rel: "noopener noreferrer" })}
      // The field keeps the focus.
      onMouseDown={(event) => {
        if (event.button === 0) event.preventDefault();
      }}
      // A pointer that rests while the list moves below it has not chosen anything.
      onPointerMove={() => {
        if (options.active !== index) options.activate(index);
      }}
      onClick={onClick}
      onAuxClick={(event) => {
        if (event.button === 1) onChoose();
      }}
    >
      {children}
    </a>
  );
}
