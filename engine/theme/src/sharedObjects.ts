// The objects of JavaScript that all components share in the V8 that draws them. A module that changes one would change what
// the others draw, or how they are asked for it: the change is undone, and the module has failed.

const { is } = Object;
const { defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;

interface Known {
  /** As authors know it. */
  readonly name: string;
  readonly object: object;
  readonly keys: readonly (readonly [string | symbol, PropertyDescriptor])[];
}

const known: Known[] = [];

function remember(name: string, object: unknown): void {
  if ((typeof object !== "object" && typeof object !== "function") || object === null) return;
  const keys: [string | symbol, PropertyDescriptor][] = [];
  for (const key of ownKeys(object)) {
    const found = getOwnPropertyDescriptor(object, key);
    if (found !== undefined) keys.push([key, found]);
  }
  known.push({ name, object, keys });
}

/** Take the objects as they are now for the right ones. */
export function rememberShared(): void {
  known.length = 0;
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!/^[A-Z]/.test(name) || name === "OctavoComponents") continue;
    const shared: unknown = getOwnPropertyDescriptor(globalThis, name)?.value;
    if (typeof shared === "function") remember(`${name}.prototype`, shared.prototype);
    remember(name, shared);
  }
}

rememberShared();

function isSame(one: PropertyDescriptor, other: PropertyDescriptor | undefined): boolean {
  return other !== undefined && is(one.value, other.value) && one.get === other.get && one.set === other.set;
}

/** Undo what was changed, and name it; undefined where nothing was. What is added is left, but for all objects. */
export function undoChanges(): string | undefined {
  let changed: string | undefined;
  // Without iterators and methods, which may be what was changed.
  let at = -1;
  while (++at < known.length) {
    const one = known[at];
    // What a pattern was compared with last (`RegExp.$1`) is not a change.
    if (one === undefined || one.name === "RegExp") continue;
    let index = -1;
    while (++index < one.keys.length) {
      const entry = one.keys[index];
      if (entry === undefined || isSame(entry[1], getOwnPropertyDescriptor(one.object, entry[0]))) continue;
      defineProperty(one.object, entry[0], entry[1]);
      changed ??= nameOf(one.name, entry[0]);
    }
    if (one.object === Object.prototype) changed = removeAdded(one) ?? changed;
  }
  return changed;
}

function removeAdded(one: Known): string | undefined {
  let added: string | undefined;
  const keys = ownKeys(one.object);
  if (keys.length === one.keys.length) return undefined;
  let index = -1;
  while (++index < keys.length) {
    const key = keys[index];
    let isKnown = false;
    let other = -1;
    while (++other < one.keys.length && !isKnown) isKnown = one.keys[other]?.[0] === key;
    if (isKnown || key === undefined) continue;
    deleteProperty(one.object, key);
    added = nameOf(one.name, key);
  }
  return added;
}

function nameOf(object: string, key: string | symbol): string {
  return typeof key === "symbol" ? `${object}[${String(key)}]` : `${object}.${key}`;
}
