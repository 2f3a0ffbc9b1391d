interface Check {
  (...given: unknown[]): Check;
  isRequired: Check;
}

const passes: Check = Object.assign(() => passes, { isRequired: null as unknown as Check });
passes.isRequired = passes;

/** Nothing is checked: React has not done so since its version 19. */
const PropTypes = Object.fromEntries(
  ["any", "array", "arrayOf", "bigint", "bool", "checkPropTypes", "element", "elementType", "exact", "func", "instanceOf", "node", "number", "object",
    "objectOf", "oneOf", "oneOfType", "shape", "string", "symbol"].map((name) => [name, passes]),
) as Record<string, Check>;

export const { any, array, arrayOf, bigint, bool, checkPropTypes, element, elementType, exact, func, instanceOf, node, number, object, objectOf, oneOf,
  oneOfType, shape, string, symbol } = PropTypes;

export default PropTypes;
