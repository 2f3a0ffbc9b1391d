import { setLanguage } from "../src/ui/words";
import words from "../../src/octavo/words/en.json";

Object.assign(globalThis, { __OFFLINE__: false });
setLanguage({ locale: "en", words });
