export { default as Link, default as NavLink } from "./link";

const here = () => (typeof location === "undefined" ? { pathname: "/", search: "", hash: "" } : location);

export function useLocation() {
  const { pathname, search, hash } = here();
  return { pathname, search, hash, state: undefined, key: "" };
}

export function useHistory() {
  return { location: useLocation(), push: (to: string) => location.assign(to), replace: (to: string) => location.replace(to) };
}

export function useRouter() {
  const { pathname, search } = here();
  return { pathname, asPath: pathname + search, route: pathname, query: {}, locale: undefined, isReady: true, push: (to: string) => location.assign(to) };
}

export const usePathname = () => here().pathname;
export const useSearchParams = () => new URLSearchParams(here().search);
export const useParams = () => ({});
