/** Of the module `path` of Node.js what works on names alone, with slashes. */
export const sep = "/";
export const delimiter = ":";
export const isAbsolute = (path: string) => path.startsWith("/");

export function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length && parts[parts.length - 1] !== "..") parts.pop();
    else if (part === "..") parts.push(...(isAbsolute(path) ? [] : [part]));
    else if (part && part !== ".") parts.push(part);
  }
  return `${isAbsolute(path) ? "/" : ""}${parts.join("/")}` || ".";
}

export const join = (...parts: string[]) => normalize(parts.filter(Boolean).join("/") || ".");

export function resolve(...parts: string[]): string {
  const start = parts.findLastIndex(isAbsolute);
  return normalize(`/${parts.slice(Math.max(start, 0)).filter(Boolean).join("/")}`);
}

export function dirname(path: string): string {
  const plain = path.replace(/(.)\/+$/, "$1");
  const end = plain.lastIndexOf("/");
  return end < 0 ? "." : plain.slice(0, end) || "/";
}

export function basename(path: string, ending = ""): string {
  const name = path.replace(/\/+$/, "").split("/").pop() ?? "";
  return ending && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}

export const extname = (path: string) => /.(\.[^.]*)$/.exec(basename(path))?.[1] ?? "";

export function parse(path: string) {
  const [base, ext] = [basename(path), extname(path)];
  const dir = path.includes("/") ? dirname(path) : "";
  return { root: isAbsolute(path) ? "/" : "", dir, base, ext, name: basename(base, ext) };
}

export function relative(from: string, to: string): string {
  const [start, end] = [resolve(from), resolve(to)].map((one) => one.split("/").filter(Boolean));
  let same = 0;
  while (same < start.length && start[same] === end[same]) same += 1;
  return [...start.slice(same).map(() => ".."), ...end.slice(same)].join("/");
}

const path: Record<string, any> = { sep, delimiter, isAbsolute, normalize, join, resolve, dirname, basename, extname, parse, relative };
path.posix = path;
export const posix = path;
export default path;
