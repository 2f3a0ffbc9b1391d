import { tabKey } from "../tabs/tabKeys";

/** Storage key of the language in which requests are shown. */
export const LANGUAGE_KEY = tabKey("api-language");
