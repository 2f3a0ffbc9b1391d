import { expect, test } from "vitest";
import { replacePlaceholders } from "../src/features/tables/tableTools";

test("a placeholder is replaced by its value, and a longer word is another one", () => {
  const values = new Map([["YOUR_PORT", "18080"]]);
  expect(replacePlaceholders("http://localhost:YOUR_PORT/sse YOUR_PORTS", values)).toBe(
    "http://localhost:18080/sse YOUR_PORTS",
  );
});

test("a placeholder without a value stays", () => {
  expect(replacePlaceholders("YOUR_PORT", new Map([["YOUR_PORT", ""]]))).toBe("YOUR_PORT");
  expect(replacePlaceholders("YOUR_PORT", new Map())).toBe("YOUR_PORT");
});

test("a value is taken as it is typed", () => {
  expect(replacePlaceholders("A_B", new Map([["A_B", "$&"]]))).toBe("$&");
});
