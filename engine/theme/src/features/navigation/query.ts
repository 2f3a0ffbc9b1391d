import { createStore } from "../../ui/store";

/** Query of the address, with its question mark; told when the reader goes to another query of the same page. */
export const queryStore = createStore("");
