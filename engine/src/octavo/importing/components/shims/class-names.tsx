type Variants = Record<string, Record<string, unknown>>;

/** Classes of all arguments; of two that say the same, both stay. */
export function twMerge(...given: unknown[]): string {
  return given.flat(9).filter((one) => typeof one === "string" && one).join(" ");
}

export function cva(base: unknown, { variants = {}, defaultVariants = {} }: { variants?: Variants; defaultVariants?: Record<string, string> } = {}) {
  return ({ className, class: other, ...given }: Record<string, unknown> = {}) =>
    twMerge(base, Object.entries(variants).map(([name, values]) => values[String(given[name] ?? defaultVariants[name])]), className, other);
}

export const cx = twMerge;
