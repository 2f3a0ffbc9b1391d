type Value = string | number | boolean | null | undefined | Value[] | Record<string, unknown>;

export function clsx(...values: Value[]): string {
  return values
    .flatMap((one) =>
      Array.isArray(one)
        ? [clsx(...one)]
        : typeof one === "object" && one !== null
          ? Object.keys(one).filter((name) => one[name])
          : one
            ? [String(one)]
            : [],
    )
    .filter(Boolean)
    .join(" ");
}

export default clsx;
