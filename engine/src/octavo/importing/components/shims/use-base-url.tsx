import { withBase } from "octavo";

/** Put the base URL in front of a path from the root; as in Docusaurus, one that has it already stays as it is. */
export function addBase(path: string): string {
  const base = withBase("/");
  return base !== "/" && path.startsWith(base) ? path : withBase(path);
}

export default function useBaseUrl(address: string): string {
  if (!address || address.startsWith("#")) return address;
  return address.startsWith("/") || !/^\w+:/.test(address) ? addBase(`/${address.replace(/^\//, "")}`) : address;
}

export function useBaseUrlUtils() {
  return { withBaseUrl: useBaseUrl };
}
