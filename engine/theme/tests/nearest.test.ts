import { expect, it } from "vitest";
import { distance, nearestPaths } from "../src/features/not-found/nearest";

const paths = ["/codegate/quickstart", "/codegate/how-to/install", "/toolhive/how-to/install", "/toolhive/quickstart"];

it("finds the page that was meant by a slip of the pen", () => {
  expect(nearestPaths("/codegate/quickstrat", paths, 1)).toEqual(["/codegate/quickstart"]);
});

it("finds a page that has moved within its section", () => {
  expect(nearestPaths("/toolhive/install.html", paths, 1)).toEqual(["/toolhive/how-to/install"]);
});

it("offers nothing that has nothing in common", () => {
  expect(nearestPaths("/wp-admin/setup.php", paths, 3)).toEqual([]);
});

it("counts changes up to a limit", () => {
  expect(distance("install", "instal", 2)).toBe(1);
  expect(distance("install", "quickstart", 2)).toBe(3);
});
