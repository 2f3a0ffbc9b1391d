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

/** What several components share: here each has its own. */
export const createGlobalState = <T,>(make: () => T) => make;
export const createSharedComposable = createGlobalState;
export const createInjectionState = <T,>(make: (...given: any[]) => T) => [make, make];
export const useColorMode = () => ref("light");
export const usePreferredColorScheme = useColorMode;
export const useScroll = () => ({ x: ref(0), y: ref(0), isScrolling: ref(false), arrivedState: {}, directions: {} });
export const useWindowScroll = useScroll;
export const useMouse = () => ({ x: ref(0), y: ref(0) });
export const useElementBounding = () => ({ x: ref(0), y: ref(0), top: ref(0), left: ref(0), width: ref(0), height: ref(0), update: () => undefined });
export const useElementHover = () => ref(false);
export const useFocus = () => ({ focused: ref(false) });
export const useCounter = (initial = 0) => {
  const count = ref(initial);
  return { count, inc: (by = 1) => (count.value += by), dec: (by = 1) => (count.value -= by), set: (to: number) => (count.value = to), reset: () => (count.value = initial) };
};
export const useTitle = () => ref("");
export const useUrlSearchParams = () => ({});
export const useBrowserLocation = () => ref({});
export const useFullscreen = () => ({ isFullscreen: ref(false), toggle: () => undefined });
export const useDebounceFn = (done: any) => done;
export const useThrottleFn = (done: any) => done;
export const refDebounced = (value: any) => value;
export const useDebounce = refDebounced;
export const useThrottle = refDebounced;
export const reactivePick = (value: any, ...keys: string[]) => computed(() => Object.fromEntries(keys.flat().map((key) => [key, value[key]]))).value;
export const reactiveOmit = (value: any, ...keys: string[]) => Object.fromEntries(Object.entries(value).filter(([key]) => !keys.flat().includes(key)));
export const unrefElement = (value: any) => toValue(value);
export const tryOnMounted = () => undefined;
export const onKeyStroke = () => undefined;
export const onKeyDown = onKeyStroke;
export const useSwipe = () => ({ isSwiping: ref(false), direction: ref("none") });
export const useScrollLock = () => ref(false);
export const useMutationObserver = useIntersectionObserver;
export const useRafFn = useIntervalFn;
export const useInterval = () => ref(0);
export const useTimeout = () => ref(false);
export const useCssVar = () => ref("");
