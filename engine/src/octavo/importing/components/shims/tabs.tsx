import { Children, isValidElement, useState, type ReactElement, type ReactNode } from "react";

interface Item {
  value: string;
  label?: string;
  default?: boolean;
}

export default function Tabs({ children, defaultValue }: { children?: ReactNode; defaultValue?: string }) {
  const items = Children.toArray(children).filter(isValidElement) as ReactElement<Item>[];
  const [chosen, choose] = useState(
    defaultValue ?? (items.find((item) => item.props.default) ?? items[0])?.props.value,
  );
  return (
    <div>
      <div role="group">
        {items.map(({ props }) => (
          <button key={props.value} type="button" aria-pressed={props.value === chosen} onClick={() => choose(props.value)}>
            {props.label ?? props.value}
          </button>
        ))}
      </div>
      {items.map((item) => (
        <div key={item.props.value} hidden={item.props.value !== chosen}>
          {item}
        </div>
      ))}
    </div>
  );
}
