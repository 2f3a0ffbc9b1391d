import { computed, ref, toValue } from "./vue";

/** Of VueUse what has a meaning where nothing moves: its first values. */
export const useLocalStorage = (_key: unknown, initial?: unknown) => ref(toValue(initial));
export const useSessionStorage = useLocalStorage;
export const useStorage = useLocalStorage;
export const useDark = () => ref(false);
export const useToggle = (initial: any = false) => {
  const value = ref(toValue(initial));
  const toggle = () => (value.value = !value.value);
  return initial && initial.__isRef ? () => (initial.value = !initial.value) : [value, toggle];
};
export const useMediaQuery = () => ref(false);
export const usePreferredDark = useMediaQuery;
export const useBreakpoints = () => ({ smaller: () => ref(false), greater: () => ref(true), isGreater: () => true, isSmaller: () => false });
export const useWindowSize = () => ({ width: ref(1280), height: ref(800) });
export const useElementSize = () => ({ width: ref(0), height: ref(0) });
export const useElementVisibility = () => ref(false);
export const useMounted = () => ref(false);
export const useClipboard = () => {
  const copied = ref(false);
  return { copied, isSupported: ref(true), text: ref(""), copy: (text: unknown) => navigator.clipboard.writeText(String(toValue(text))).then(() => (copied.value = true)) };
};
export const useVModel = (given: any, name = "modelValue") => computed(() => given[name]);
export const onClickOutside = () => undefined;
export const useEventListener = () => undefined;
export const useIntersectionObserver = () => ({ stop: () => undefined });
export const useResizeObserver = useIntersectionObserver;
export const useTimeoutFn = () => ({ start: () => undefined, stop: () => undefined });
export const useIntervalFn = () => ({ pause: () => undefined, resume: () => undefined });
export const isClient = typeof window !== "undefined";
