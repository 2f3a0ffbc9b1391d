// Functions that browsers and every other place for components have, and V8 alone does not: given to components that name
// them, by OctavoComponents.extend. See engine/theme/README.md.
import "core-js/actual/atob";
import "core-js/actual/btoa";
import "core-js/actual/structured-clone";
import "core-js/web/url";
import "core-js/web/url-search-params";
import { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";

Object.assign(globalThis, { TextDecoder, TextEncoder });
