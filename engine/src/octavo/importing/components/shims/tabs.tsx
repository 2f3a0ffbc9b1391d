import {
  Children,
  cloneElement,
  isValidElement,
  useId,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from "react";

interface Item {
  value?: string;
  label?: string;
  default?: boolean;
}

/** What tells an item from the others: items of Starlight have labels alone. */
const nameOf = ({ value, label }: Item) => value ?? label ?? "";

interface Props {
  children?: ReactNode;
  defaultValue?: string;
  /** Labels of the items that have none of their own, as in Nextra. */
  items?: ReactNode[];
  defaultIndex?: number;
}

export default function Tabs({ children, defaultValue, items: labels = [], defaultIndex = 0 }: Props) {
  const items = (Children.toArray(children).filter(isValidElement) as ReactElement<Item>[]).map((item, index) =>
    nameOf(item.props) || labels[index] === undefined
      ? item
      : cloneElement(item, { value: String(index), label: labels[index] as string, default: index === defaultIndex }),
  );
  const first = items.find((item) => item.props.default) ?? items[0];
  const [chosen, choose] = useState(defaultValue ?? (first && nameOf(first.props)));
  const id = useId();
  return (
    <div className="tabs">
      <div className="tab-list" role="tablist" onKeyDown={moveFocus}>
        {items.map(({ props }, index) => (
          <button
            key={nameOf(props)}
            type="button"
            role="tab"
            className="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={nameOf(props) === chosen}
            tabIndex={nameOf(props) === chosen ? 0 : -1}
            onClick={() => choose(nameOf(props))}
          >
            {props.label ?? props.value}
          </button>
        ))}
      </div>
      {items.map((item, index) => (
        <div
          key={nameOf(item.props)}
          role="tabpanel"
          className="tab-panel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          data-label={item.props.label ?? item.props.value}
          data-state={nameOf(item.props) === chosen ? "active" : "inactive"}
        >
          {item}
        </div>
      ))}
    </div>
  );
}

/** Arrows, Home and End move the focus, as in the tabs of the theme. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>(":scope > [role=tab]")];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const to = step === undefined ? { Home: 0, End: tabs.length - 1 }[event.key] : (at + step + tabs.length) % tabs.length;
  if (to === undefined) return;
  event.preventDefault();
  tabs[to]?.focus();
}
