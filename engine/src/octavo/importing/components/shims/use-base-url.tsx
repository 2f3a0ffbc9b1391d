import { withBase } from "octavo";

export default function useBaseUrl(address: string): string {
  if (!address || address.startsWith("#")) return address;
  return address.startsWith("/") || !/^\w+:/.test(address) ? withBase(`/${address.replace(/^\//, "")}`) : address;
}

export function useBaseUrlUtils() {
  return { withBaseUrl: useBaseUrl };
}
