import type { Fact } from "../../payload.gen";

interface FactsProps {
  facts: readonly Fact[];
  /** Of an enumeration. */
  values?: readonly string[];
}

/** Limits, defaults and examples, and the values of an enumeration. */
export function Facts({ facts, values = [] }: FactsProps) {
  if (facts.length === 0 && values.length === 0) return null;
  return (
    <ul className="api-facts">
      {facts.map(({ label, value }, index) => (
        <li key={index}>
          {label} <code>{value}</code>
        </li>
      ))}
      {values.length > 0 && (
        <li>
          {"one of "}
          {values.map((value, index) => (
            <span key={index}>
              {index > 0 && ", "}
              <code>{value}</code>
            </span>
          ))}
        </li>
      )}
    </ul>
  );
}
