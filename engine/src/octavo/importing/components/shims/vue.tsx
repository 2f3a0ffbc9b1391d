import { createElement, Fragment, isValidElement, useEffect, useReducer, useRef } from "react";

/** Vue's functions as far as components of documentation use them; a setup runs at each drawing, so they are hooks. */

function useRedraw(): () => void {
  try {
    return useReducer((count: number) => count + 1, 0)[1];
  } catch {
    return () => undefined; // outside of a component
  }
}

function useKept<T>(make: () => T): T {
  try {
    const kept = useRef<{ value: T } | null>(null);
    kept.current ??= { value: make() };
    return kept.current.value;
  } catch {
    return make();
  }
}

function useDone(effect: () => unknown, when?: unknown[]) {
  try {
    useEffect(() => {
      const after = effect();
      return typeof after === "function" ? (after as () => void) : undefined;
    }, when);
  } catch {
    // outside of a component nothing is drawn
  }
}

const isPlain = (value: any) => Array.isArray(value) || (value && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype && !isValidElement(value));

function deep(value: any, changed: () => void): any {
  if (!isPlain(value)) return value;
  return new Proxy(value, {
    get: (target, key) => {
      const inner = Reflect.get(target, key);
      return typeof key === "string" && isPlain(inner) ? deep(inner, changed) : inner;
    },
    set: (target, key, next) => {
      const before = Reflect.get(target, key);
      Reflect.set(target, key, next);
      if (before !== next) changed();
      return true;
    },
  });
}

function box(get: () => any, set: (value: any) => void = () => undefined) {
  return Object.defineProperty({ __isRef: true } as any, "value", { get, set, enumerable: true });
}

export const isRef = (value: any): boolean => !!value && value.__isRef === true;
export const unref = (value: any) => (isRef(value) ? value.value : value);
export const toValue = (value: any) => (typeof value === "function" ? value() : unref(value));

export function ref(initial?: any) {
  const redraw = useRedraw();
  return useKept(() => {
    let value = isRef(initial) ? initial.value : initial;
    return box(
      () => deep(value, redraw),
      (next) => {
        if (next === value) return;
        value = next;
        redraw();
      },
    );
  });
}
export const shallowRef = ref;
export const useTemplateRef = () => ref(null);
export function reactive(initial: any) {
  const redraw = useRedraw();
  return useKept(() => deep(initial, redraw));
}
export const shallowReactive = reactive;
export const readonly = (value: any) => value;
export const markRaw = (value: any) => value;
export const toRaw = (value: any) => value;
export function computed(given: any) {
  const get = typeof given === "function" ? given : given.get;
  return box(() => get(), given.set);
}
export const toRef = (source: any, key?: string) => (key === undefined ? (typeof source === "function" ? computed(source) : isRef(source) ? source : ref(source)) : box(() => source[key], (next) => (source[key] = next)));
export const toRefs = (source: any) => Object.fromEntries(Object.keys(source).map((key) => [key, toRef(source, key)]));

export function watch(source: any, done: (value: any, before: any) => void, options?: { immediate?: boolean }) {
  const read = () => (Array.isArray(source) ? source.map(toValue) : toValue(source));
  const last = useKept<{ value?: any; isSeen: boolean }>(() => ({ isSeen: false }));
  useDone(() => {
    const value = read();
    const before = last.value;
    const isNew = last.isSeen && JSON.stringify(before) !== JSON.stringify(value);
    const isFirst = !last.isSeen && options?.immediate;
    Object.assign(last, { value, isSeen: true });
    if (isNew || isFirst) done(value, before);
  });
  return () => undefined;
}
export const watchEffect = (effect: () => void) => useDone(() => void effect());
export const onMounted = (done: () => unknown) => useDone(() => void done(), []);
export const onBeforeMount = (done: () => unknown) => void useKept(() => done());
export const onUnmounted = (done: () => unknown) => useDone(() => () => done(), []);
export const onBeforeUnmount = onUnmounted;
export const onUpdated = (done: () => unknown) => useDone(() => void done());
export const onServerPrefetch = () => undefined;
export const nextTick = (done?: () => void) => Promise.resolve().then(done);
export const provide = () => undefined;
export const inject = (_key: unknown, initial?: unknown) => initial;
export const getCurrentInstance = () => null;
export const defineComponent = (options: any) => options;
export const defineAsyncComponent = () => () => null;
export const h = (type: any, given?: any, children?: any) => (Array.isArray(given) || typeof given === "string" ? createElement(type, null, given) : createElement(type, given && { ...given, className: given.class, class: undefined }, typeof children === "function" ? children() : children));

/** Text of a value between double braces. */
export function shown(value: any): any {
  const plain = unref(value);
  if (plain === null || plain === undefined) return "";
  return typeof plain === "object" && !isValidElement(plain) && !Array.isArray(plain) ? JSON.stringify(plain, null, 2) : Array.isArray(plain) && plain.every((one) => !isValidElement(one)) ? JSON.stringify(plain, null, 2) : String(plain) === "[object Object]" ? plain : typeof plain === "boolean" ? String(plain) : plain;
}

/** What a list of v-for goes through: value, key or index, index. */
export function each(source: any): any[][] {
  const list = unref(source);
  if (typeof list === "number") return Array.from({ length: list }, (_, index) => [index + 1, index]);
  if (list === null || list === undefined) return [];
  if (typeof list === "string" || typeof list[Symbol.iterator] === "function") return [...list].map((value, index) => [value, index]);
  return Object.entries(list).map(([key, value], index) => [value, key, index]);
}

export function classOf(...given: any[]): string {
  return given
    .map(unref)
    .flatMap((one) => (Array.isArray(one) ? [classOf(...one)] : one && typeof one === "object" ? Object.keys(one).filter((key) => one[key]) : one ? [String(one)] : []))
    .filter(Boolean)
    .join(" ");
}

export function styleOf(...given: any[]): Record<string, any> {
  const found: Record<string, any> = {};
  for (const one of given.flat(9).map(unref)) {
    const pairs = typeof one === "string" ? one.split(/;(?![^(]*\))/).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]) : Object.entries(one ?? {});
    for (const [key, value] of pairs as [string, any][]) {
      const name = key.trim();
      if (name && value !== undefined && value !== null) found[name.startsWith("--") ? name : name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())] = typeof value === "string" ? value.trim() : value;
    }
  }
  return found;
}

export function dynamic({ is, children, ...given }: any) {
  const type = unref(is);
  return type ? createElement(type, given, children) : <Fragment>{children}</Fragment>;
}

const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

function properties(given: any): any {
  const found: any = {};
  for (const key of Object.keys(given)) found[camel(key)] = given[key];
  return found;
}

export function slotsOf(given: any): any {
  const found: any = {};
  const add = (name: string, content: any) => {
    // Texts of slots are drawn by now; who asks for them gets an error in the place of a wrong text.
    found[name] = () => [{ get children() { throw new Error("it reads the text between its tags"); } }];
  };
  if (given.children !== undefined && given.children !== null) add("default", given.children);
  for (const key of Object.keys(given)) if (key.startsWith("$slot_")) add(key.slice(6), given[key]);
  return found;
}

const defaultOf = (value: any) => (typeof value === "function" ? value() : value);

function withDefaults(given: any, defaults: any): any {
  for (const key of Object.keys(defaults ?? {})) if (given[key] === undefined) given[key] = defaultOf(defaults[key]);
  return given;
}

function described(given: any, specification: any): any {
  for (const [key, one] of Object.entries<any>(Array.isArray(specification) ? {} : (specification ?? {}))) {
    if (given[key] === "" && (one === Boolean || one?.type === Boolean)) given[key] = true;
    if (given[key] === undefined && one && "default" in Object(one)) given[key] = one.type === Function ? one.default : defaultOf(one.default);
  }
  return given;
}

/** What a setup may call without an import. */
export function macros(given: any, own: any) {
  return {
    defineProps: (specification?: any) => described(own, specification),
    withDefaults,
    defineEmits: () => (name: string, ...rest: any[]) => given["on" + camel(`-${name}`).replace(/:/g, "_")]?.(...rest),
    defineModel: (name: any = "modelValue") => ref(own[typeof name === "string" ? name : "modelValue"] ?? (typeof name === "object" ? name.default : undefined)),
    defineExpose: () => undefined,
    defineSlots: () => slotsOf(given),
    defineOptions: () => undefined,
    useSlots: () => slotsOf(given),
    useAttrs: () => ({}),
  };
}

/** The object that `this` is in a component with options. */
export function optionsOf(options: any, given: any): any {
  const redraw = useRedraw();
  const own = described(properties(given), options.props);
  const kept = useKept<any>(() => ({}));
  const self: any = new Proxy(own, {
    get: (target, key: string) => {
      if (kept.data && key in kept.data) return deep(kept.data[key], redraw);
      if (options.computed && key in options.computed) {
        const one = options.computed[key];
        return (typeof one === "function" ? one : one.get).call(self, self);
      }
      if (options.methods && key in options.methods) return options.methods[key].bind(self);
      if (kept.setup && key in kept.setup) return unref(kept.setup[key]);
      if (key === "$slots") return slotsOf(given);
      if (key === "$emit") return macros(given, own).defineEmits();
      return target[key];
    },
    has: () => true,
    set: (target, key: string, value) => {
      const place = kept.data && key in kept.data ? kept.data : target;
      if (place[key] !== value) {
        place[key] = value;
        redraw();
      }
      return true;
    },
  });
  kept.setup = options.setup?.(own, { slots: slotsOf(given), attrs: {}, emit: () => undefined });
  kept.data ??= typeof options.data === "function" ? options.data.call(self, self) : {};
  useKept(() => options.created?.call(self));
  useDone(() => void options.mounted?.call(self), []);
  return self;
}
optionsOf.properties = properties;
optionsOf.undeclared = () =>
  new Proxy({} as any, {
    get: (_, key) => {
      if (typeof key === "string") throw new Error(`it names "${key}", which it does not declare`);
      return undefined;
    },
  });
