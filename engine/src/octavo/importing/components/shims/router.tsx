export { default as Link, default as NavLink } from "./link";

const here = () => (typeof location === "undefined" ? { pathname: "/", search: "", hash: "" } : location);

/** Go to an address; one that differs in its query or fragment alone shows the page that is there. */
function go(to: string, how: "pushState" | "replaceState") {
  const address = new URL(typeof to === "string" ? to : "", location.href);
  if (address.origin === location.origin && address.pathname === location.pathname) history[how](history.state, "", address);
  else if (how === "pushState") location.assign(address);
  else location.replace(address);
}

const push = (to: string) => go(to, "pushState");
const replace = (to: string) => go(to, "replaceState");
const more = { back: () => history.back(), forward: () => history.forward(), refresh: () => location.reload(), prefetch: () => undefined };

export function useLocation() {
  const { pathname, search, hash } = here();
  return { pathname, search, hash, state: undefined, key: "" };
}

export function useHistory() {
  return { location: useLocation(), push, replace, ...more };
}

export function useRouter() {
  const { pathname, search } = here();
  return { pathname, asPath: pathname + search, route: pathname, query: {}, locale: undefined, isReady: true, push, replace, ...more };
}

export const usePathname = () => here().pathname;
export const useSearchParams = () => new URLSearchParams(here().search);
export const useParams = () => ({});
