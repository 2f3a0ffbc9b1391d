import { setLanguage } from "../src/ui/words";
import words from "../../src/octavo/words/en.json";

setLanguage({ locale: "en", words });
