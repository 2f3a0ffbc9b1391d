import { type FocusEvent, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { Icon, ItemIcon } from "../../ui/Icon";
import { word } from "../../ui/words";

interface DropdownProps {
  label: string;
  /** What the choice is about, where the label alone does not tell. */
  name?: string;
  /** The label's own page. */
  href: string | null;
  /** SVG before the label. */
  icon?: string | undefined;
  /** List items, each with one link. */
  children: ReactNode;
}

/** A disclosure of links. Opens on hover and by Enter, Space and arrows; Escape closes it. */
export function Dropdown({ label, name, href, icon, children }: DropdownProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** Hovering has opened it; the click that mostly follows means to open it too. */
  const isHoverOpened = useRef(false);

  const onPointer = (event: PointerEvent): void => {
    // A finger's tap sends these too, and then a click of its own.
    if (event.pointerType !== "mouse") return;
    isHoverOpened.current = event.type === "pointerenter" && !isOpen;
    setIsOpen(event.type === "pointerenter");
  };
  const onBlur = (event: FocusEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setIsOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      setIsOpen(false);
      button.current?.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setIsOpen(true);
      moveFocus(event.currentTarget, event.key === "ArrowDown" ? 1 : -1);
    }
  };

  return (
    <div
      className="dropdown"
      data-state={isOpen ? "open" : "closed"}
      onPointerEnter={onPointer}
      onPointerLeave={onPointer}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    >
      {href !== null && (
        <a className="nav-link" href={href}>
          <ItemIcon svg={icon} />
          {label}
        </a>
      )}
      <button
        ref={button}
        type="button"
        className={href === null ? "nav-link" : "icon-button"}
        aria-expanded={isOpen}
        aria-label={href === null && name === undefined ? undefined : `${name ?? word("nav.more")}: ${label}`}
        data-intent=""
        onClick={() => {
          setIsOpen(isHoverOpened.current || !isOpen);
          isHoverOpened.current = false;
        }}
      >
        {href === null && <ItemIcon svg={icon} />}
        {href === null && label}
        <Icon name="chevron" />
      </button>
      <ul
        className="dropdown-menu"
        onClick={() => {
          setIsOpen(false);
        }}
      >
        {children}
      </ul>
    </div>
  );
}

function moveFocus(dropdown: HTMLElement, step: 1 | -1): void {
  const links = [...dropdown.querySelectorAll<HTMLElement>(".dropdown-menu a")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const target = at === -1 && step === -1 ? links.length - 1 : (at + step + links.length) % links.length;
  // The menu becomes visible with the next drawing.
  requestAnimationFrame(() => links[target]?.focus());
}
