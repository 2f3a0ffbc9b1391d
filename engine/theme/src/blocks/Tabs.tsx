import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import type { TabsProps } from "../payload.gen";
import { rememberTab, useRememberedTab } from "../features/tabs/tabMemory";
import { useTabOfAnchor } from "../features/tabs/tabOfAnchor";
import type { Children } from "./block";
import { Child } from "./Child";

/** Tabs. Without scripts all panels are shown, one below the other, each under its label. */
export function Tabs({ groupId, queryString, defaultValue, tabs, id, child }: TabsProps & Children) {
  const [selected, setSelected] = useState(defaultValue);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isLive = useIsClient();
  useRememberedTab({ groupId, queryString, values: tabs.map((tab) => tab.value), onChoice: setSelected });
  useTabOfAnchor(root, setSelected);

  const select = (value: string, button: HTMLElement): void => {
    const top = button.getBoundingClientRect().top;
    flushSync(() => {
      setSelected(value);
      rememberTab({ groupId, queryString }, value);
    });
    // Groups above may have changed their height: keep what was clicked under the pointer.
    window.scrollBy({ top: button.getBoundingClientRect().top - top, behavior: "instant" });
  };

  return (
    <div
      ref={root}
      className="tabs"
      data-group={groupId ?? undefined}
      data-query={queryString ?? undefined}
      data-live={isLive ? "" : undefined}
    >
      <div ref={list} className="tab-list" role="tablist" onKeyDown={moveFocus}>
        {tabs.map(({ value, label, anchor }, index) => (
          <button
            key={value}
            type="button"
            role="tab"
            className="tab"
            data-value={value}
            id={`${id}-tab-${index}`}
            aria-controls={anchor ?? `${id}-panel-${index}`}
            aria-selected={value === selected}
            tabIndex={value === selected || (selected === null && index === 0) ? 0 : -1}
            onClick={(event) => {
              select(value, event.currentTarget);
            }}
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(({ value, label, anchor }, index) => (
        <div
          key={value}
          role="tabpanel"
          className="tab-panel"
          data-value={value}
          id={anchor ?? `${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          data-label={label}
          data-state={value === selected ? "active" : "inactive"}
        >
          <Child html={child(index)} />
        </div>
      ))}
    </div>
  );
}

const never = (): (() => void) => () => undefined;

function useIsClient(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** Arrows, Home and End move the focus; Enter and Space select, as they do on buttons. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>(":scope > [role=tab]")];
  const target = nextIndex(event, tabs.indexOf(document.activeElement as HTMLElement), tabs.length);
  if (target === null) return;
  event.preventDefault();
  tabs[target]?.focus();
}

function nextIndex(event: KeyboardEvent, from: number, count: number): number | null {
  const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const backward = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
  switch (event.key) {
    case forward:
      return (from + 1) % count;
    case backward:
      return (from - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
