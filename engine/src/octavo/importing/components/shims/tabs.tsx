import { Children, isValidElement, useState, type ReactElement, type ReactNode } from "react";

interface Item {
  value?: string;
  label?: string;
  default?: boolean;
}

/** What tells an item from the others: items of Starlight have labels alone. */
const nameOf = ({ value, label }: Item) => value ?? label ?? "";

export default function Tabs({ children, defaultValue }: { children?: ReactNode; defaultValue?: string }) {
  const items = Children.toArray(children).filter(isValidElement) as ReactElement<Item>[];
  const first = items.find((item) => item.props.default) ?? items[0];
  const [chosen, choose] = useState(defaultValue ?? (first && nameOf(first.props)));
  return (
    <div>
      <div role="group">
        {items.map(({ props }) => (
          <button
            key={nameOf(props)}
            type="button"
            aria-pressed={nameOf(props) === chosen}
            onClick={() => choose(nameOf(props))}
          >
            {props.label ?? props.value}
          </button>
        ))}
      </div>
      {items.map((item) => (
        <div key={nameOf(item.props)} hidden={nameOf(item.props) !== chosen}>
          {item}
        </div>
      ))}
    </div>
  );
}
