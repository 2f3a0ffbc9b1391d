import { withBase } from "octavo";

export default function useBaseUrl(address: string): string {
  return address.startsWith("/") || !/^\w+:/.test(address) ? withBase(`/${address.replace(/^\//, "")}`) : address;
}

export function useBaseUrlUtils() {
  return { withBaseUrl: useBaseUrl };
}
