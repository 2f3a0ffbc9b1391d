/** Where a hit leads. Null: its address is none, or one that a link must not have. */
export function hitAddress(url: string, siteUrl: string): { href: string; leavesSite: boolean } | null {
  const address = URL.parse(url, __OFFLINE__ ? siteUrl : location.origin);
  if (address === null || !/^https?:$/.test(address.protocol)) return null;
  const isOurs = address.origin === location.origin || address.origin === URL.parse(siteUrl)?.origin;
  if (!isOurs) return { href: address.href, leavesSite: true };
  return { href: address.pathname + address.search + address.hash, leavesSite: false };
}
