import { Fragment } from "react";
import type { Fact } from "../../payload.gen";
import { formatNumber, word, wordParts } from "../../ui/words";
import { labelOf } from "./labels";

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
          {labelOf(label)} <FactValue value={value} />
        </li>
      ))}
      {values.length > 0 && (
        <li>
          {wordParts("api.oneOf", {
            values: values.map((value, index) => (
              <Fragment key={index}>
                {index > 0 && ", "}
                <FactValue value={value} />
              </Fragment>
            )),
          })}
        </li>
      )}
    </ul>
  );
}

/** Characters above which a value lies folded. */
const LONG = 400;

/** A value; of a long one the beginning, and all of it on demand. */
export function FactValue({ value }: { value: string }) {
  if (value.length <= LONG) return <code>{value}</code>;
  return (
    <details className="api-inside">
      <summary>
        <code>{value.slice(0, 60)}…</code> ({word("api.characters", { count: formatNumber(value.length) })})
      </summary>
      <code>{value}</code>
    </details>
  );
}
