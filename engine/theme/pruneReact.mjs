// Leaves out of React what the theme does not use. React DOM is three quarters of the script of a first visit, and it is
// one file whose parts no bundler can tell apart: features are reached through tables that are filled while it runs.
//
// Named are functions that run only for a feature; each gets an empty body, and what only they use falls away when the
// code is minified. A function that is no longer there stops the build: a new version of React must be looked through
// again. `tests/pruneReact.test.ts` holds the theme to the features that remain.

const FILE = /react-dom\/cjs\/react-dom-client\.production\.js$/;
const INTERFACE = /react-dom\/cjs\/react-dom\.production\.js$/;

/** Exports of `react-dom` whose work is left out below. */
const UNUSED_EXPORTS = ["preconnect", "prefetchDNS", "preinit", "preinitModule", "preload", "preloadModule"];

/** Feature → functions that run for it alone. They give `undefined`, or what is written behind the name. */
const UNUSED = {
  "<ViewTransition>": [
    "applyViewTransitionToHostInstances",
    "applyViewTransitionToHostInstancesRecursive",
    "commitAfterMutationEffectsOnFiber",
    "commitAppearingPairViewTransitions",
    "commitDeletedPairViewTransitions",
    "commitEnterViewTransitions",
    "commitExitViewTransitions",
    "commitNestedViewTransitions",
    "createViewTransitionInstance",
    "flushAfterMutationEffects",
    "measureNestedViewTransitions",
    "measureViewTransitionHostInstancesRecursive",
    "pushViewTransitionCancelableScope",
    "restoreEnterOrExitViewTransitions",
    "restoreNestedViewTransitions",
    "restorePairedViewTransitions",
    "restoreViewTransitionName",
    "restoreViewTransitionOnHostInstances",
    "scheduleViewTransitionEvent",
    "startViewTransition",
    "trackEnterViewTransitions",
  ],
  "references to fragments": [
    "FragmentInstance",
    "addFragmentHandleToFiber",
    "addFragmentHandleToInstance",
    "blurActiveElementWithinFragment",
    "commitFragmentInstanceDeletionEffects",
    "commitFragmentInstanceInsertionEffects",
    "commitNewChildToFragmentInstance",
    "commitNewChildToFragmentInstances",
    "deleteChildFromFragmentInstance",
    "validateDocumentPositionWithFiberTree",
  ],
  "resources and tags of the head, preload() and its relatives": [
    ["isHostHoistableType", "!1"],
    "accumulateSuspenseyCommitOnFiber",
    "acquireResource",
    "createHoistableInstance",
    "getHydratableHoistableCache",
    "getResource",
    "getResourcesFromRoot",
    "insertStylesheet",
    "insertStylesheetIntoRoot",
    "insertSuspendedStylesheets",
    "mountHoistable",
    "preconnect",
    "preconnectAs",
    "prefetchDNS",
    "preinitModuleScript",
    "preinitScript",
    "preinitStyle",
    "preload",
    "preloadModule",
    "preloadResource",
    "preloadStylesheet",
    "suspendResource",
    ["waitForCommitToBeReady", "null"],
  ],
  "<Activity>": ["mountActivityChildren", "retryActivityComponentWithoutHydrating", "updateActivityComponent"],
  "<SuspenseList>": ["initSuspenseListRenderState", "updateSuspenseListComponent"],
  "actions of forms": [
    "actionStateActionEffect",
    "dispatchActionState",
    "mountActionState",
    "recursivelyResetForms",
    "requestFormReset$1",
    "rerenderActionState",
    "runActionStateAction",
    "updateActionState",
    "updateActionStateImpl",
  ],
  "custom elements": [["isCustomElement", "!1"], "setPropOnCustomElement"],
  "names and stacks of components in errors": [
    ["describeNativeComponentFrame", '""'],
    ["getComponentNameFromType", "null"],
    ["getStackByFiberInDevAndProd", '""'],
  ],
  "findDOMNode(), which React has no more for others": [["findCurrentFiberUsingSlowPath", "null"]],
  // Whatever a reader does before a part is alive is kept and replayed by `features/page-load/intent.ts`.
  "replay of events that came before hydration": [
    ["queueIfContinuousEvent", "!1"],
    "accumulateOrCreateContinuousQueuedReplayableEvent",
    "attemptExplicitHydrationTarget",
    "attemptReplayContinuousQueuedEvent",
    "attemptReplayContinuousQueuedEventInMap",
    "clearIfContinuousEvent",
    "replayUnblockedEvents",
    "retryIfBlockedOn",
    "scheduleCallbackIfUnblocked",
    "scheduleReplayQueueIfNeeded",
  ],
  "the browser's sign of loading during transitions": ["defaultOnDefaultTransitionIndicator"],
  onBeforeInput: ["getFallbackBeforeInputChars", "getNativeBeforeInputChars"],
  onSelect: ["constructSelectEvent"],
};

/**
 * Values that React throws to itself and knows by identity. As errors they note where they are made: in the module, all
 * of which V8 parses a second time for that while a tool watches the page (20 ms on our machine, four fifths of the task).
 */
const SENTINELS = /(\w+Exception) = Error\((formatProdErrorMessage\(\d+\))\)/g;
const SENTINEL_COUNT = 5;

/** The plugin for Vite. */
export function pruneReact() {
  return {
    name: "prune-react",
    transform(code, id) {
      if (INTERFACE.test(id)) return { code: pruneInterface(code), map: null };
      return FILE.test(id) ? { code: prune(code), map: null } : null;
    },
  };
}

/** Empty the exports of `react-dom` that would do nothing. They are there still: a component may import them. */
export function pruneInterface(code) {
  return UNUSED_EXPORTS.reduce((pruned, name) => {
    const body = new RegExp(`^exports\\.${name} = function[^]*?^};`, "m");
    if (!body.test(pruned))
      throw new Error(`react-dom exports no "${name}" any more. Look through pruneReact.mjs again.`);
    return pruned.replace(body, `exports.${name} = function () {};`);
  }, code);
}

/** Empty the functions of unused features. */
export function prune(code) {
  let pruned = code;
  for (const [feature, names] of Object.entries(UNUSED)) {
    for (const entry of names) {
      const [name, value] = Array.isArray(entry) ? entry : [entry, ""];
      const body = new RegExp(`^function ${name.replace("$", "\\$")}\\([^]*?^}`, "m");
      if (!body.test(pruned)) {
        throw new Error(
          `React DOM has no function "${name}" any more (${feature}). Look through pruneReact.mjs again.`,
        );
      }
      pruned = pruned.replace(body, () => `function ${name}() {${value && `return ${value};`}}`);
    }
  }
  let sentinels = 0;
  pruned = pruned.replace(SENTINELS, (_, name, message) => {
    sentinels += 1;
    return `${name} = { message: ${message} }`;
  });
  if (sentinels !== SENTINEL_COUNT) {
    throw new Error(
      `React DOM throws ${sentinels} values to itself, not ${SENTINEL_COUNT}. Look through pruneReact.mjs again.`,
    );
  }
  return pruned.replace(/^FragmentInstance\.prototype\.\w+ = function[^]*?^};/gm, "");
}
