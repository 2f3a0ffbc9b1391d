import { useState } from "react";

/** Functions that many packages offer under the same names and that mean the same in all of them. */
const get = (from: any, path: any, otherwise?: any) =>
  (Array.isArray(path) ? path : String(path).split(/[.[\]]+/).filter(Boolean)).reduce((value: any, key: any) => value?.[key], from) ?? otherwise;
const by = (choose: any) => (typeof choose === "function" ? choose : (one: any) => get(one, choose));
const words = (text: string) => String(text).replace(/([a-z0-9])([A-Z])/g, "$1 $2").match(/[\p{L}\p{N}]+/gu) ?? [];

export const isFunction = (value: any) => typeof value === "function";
export const isString = (value: any) => typeof value === "string";
export const isNumber = (value: any) => typeof value === "number";
export const isBoolean = (value: any) => typeof value === "boolean";
export const isArray = Array.isArray;
export const isObject = (value: any) => value !== null && (typeof value === "object" || typeof value === "function");
export const isPlainObject = (value: any) => isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
export const isNil = (value: any) => value === null || value === undefined;
export const isUndefined = (value: any) => value === undefined;
export const isNull = (value: any) => value === null;
export const isEmpty = (value: any) => isNil(value) || (isObject(value) ? Object.keys(value).length === 0 : value.length === 0 || typeof value !== "string");
export const isEqual = (one: any, other: any) => JSON.stringify(one) === JSON.stringify(other);
export const noop = () => undefined;
export const identity = (value: any) => value;
export const debounce = (done: any) => done;
export const throttle = (done: any) => done;
export const once = (done: any) => done;
export const memoize = (done: any) => done;
export const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
export const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
export const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
export const kebabCase = (text: string) => words(text).join("-").toLowerCase();
export const paramCase = kebabCase;
export const constantCase = (text: string) => words(text).join("_").toUpperCase();
export const dotCase = (text: string) => words(text).join(".").toLowerCase();
export const noCase = (text: string) => words(text).join(" ").toLowerCase();
export const pascalCase = (text: string) => words(text).map((one) => upperFirst(one.toLowerCase())).join("");
export const capitalCase = (text: string) => words(text).map((one) => upperFirst(one.toLowerCase())).join(" ");
export const sentenceCase = (text: string) => upperFirst(words(text).join(" ").toLowerCase());
export const snakeCase = (text: string) => words(text).join("_").toLowerCase();
export const startCase = (text: string) => words(text).map(upperFirst).join(" ");
export const camelCase = (text: string) => lowerFirst(words(text).map((one) => upperFirst(one.toLowerCase())).join(""));
export const range = (start: number, end?: number, step = 1) => {
  const [first, last] = end === undefined ? [0, start] : [start, end];
  return Array.from({ length: Math.max(0, Math.ceil((last - first) / step)) }, (_, index) => first + index * step);
};
export const uniq = (list: any[]) => [...new Set(list)];
export const uniqBy = (list: any[], choose: any) => [...new Map(list.map((one) => [by(choose)(one), one])).values()];
export const groupBy = (list: any[], choose: any) =>
  list.reduce((found: any, one: any) => {
    (found[by(choose)(one)] ??= []).push(one);
    return found;
  }, {});
export const keyBy = (list: any[], choose: any) => Object.fromEntries(list.map((one) => [by(choose)(one), one]));
export const sortBy = (list: any[], ...choose: any[]) =>
  [...list].sort((one, other) => {
    for (const each of choose.flat()) {
      const [first, second] = [by(each)(one), by(each)(other)];
      if (first !== second) return first < second ? -1 : 1;
    }
    return 0;
  });
export const chunk = (list: any[], size = 1) => range(0, list.length, size).map((start) => list.slice(start, start + size));
export const compact = (list: any[]) => list.filter(Boolean);
export const flatten = (list: any[]) => list.flat();
export const pick = (value: any, ...keys: any[]) => Object.fromEntries(keys.flat().filter((key) => key in value).map((key) => [key, value[key]]));
export const omit = (value: any, ...keys: any[]) => Object.fromEntries(Object.entries(value).filter(([key]) => !keys.flat().includes(key)));
export const mapValues = (value: any, make: any) => Object.fromEntries(Object.entries(value).map(([key, one]) => [key, by(make)(one)]));
export const cloneDeep = (value: any) => structuredClone(value);
export { get };

/** What is asked of a browser: the answers that it has where nothing moves. */
export const useMediaQuery = () => false;
export const useIsomorphicLayoutEffect = noop;
export const useIsMounted = () => () => false;
export const useMounted = () => false;
export const useWindowSize = () => ({ width: 1280, height: 800 });
export const useLocalStorage = (_key: string, initial?: any) => useState(initial);
export const useSessionStorage = useLocalStorage;
export const useLocalStorageValue = (_key: string, options?: any) => ({ value: options?.defaultValue, set: noop, remove: noop });
export const useToggle = (initial = false) => {
  const [value, set] = useState(initial);
  return [value, () => set(!value)];
};
export const useCopyToClipboard = () => [null, (text: string) => navigator.clipboard.writeText(text)];
export const useClipboard = () => ({ copied: false, hasCopied: false, copy: (text: string) => navigator.clipboard.writeText(text), onCopy: noop });
export const useInView = () => Object.assign([noop, true], { ref: noop, inView: true });
export const useEventListener = noop;
export const useOnClickOutside = noop;
export const useClickAway = noop;
export const useInterval = noop;
export const useTimeout = noop;
export const useHotkeys = noop;
export const useDebounce = (value: any) => value;

export default {
  isFunction, isString, isNumber, isBoolean, isArray, isObject, isPlainObject, isNil, isUndefined, isNull, isEmpty, isEqual, noop, identity, debounce, throttle,
  once, memoize, capitalize, upperFirst, lowerFirst, kebabCase, snakeCase, startCase, camelCase, range, uniq, uniqBy, groupBy, keyBy, sortBy, chunk, compact,
  flatten, pick, omit, mapValues, cloneDeep, get,
};
