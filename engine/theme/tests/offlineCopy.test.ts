import { afterEach, expect, test, vi } from "vitest";
import { offlineAddress } from "../src/data/offlineCopy";

/** A page of a copy, two folders deep. */
function openPage(pages: "folders" | "flat", base = "/kiln/"): void {
  const dataset = { offline: "../../", base, pages };
  vi.stubGlobal("document", { documentElement: { dataset } });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ["/kiln/", "../../index.html"],
  ["/kiln/clay", "../../clay/index.html"],
  ["/kiln/clay/", "../../clay/index.html"],
  ["/kiln/clay?tab=a#hot", "../../clay/index.html?tab=a#hot"],
  ["/kiln/v1.2", "../../v1.2/index.html"],
  ["/kiln/img/pot.png", "../../img/pot.png"],
])("%s of the site is %s in the copy", (path, address) => {
  openPage("folders");
  expect(offlineAddress(path)).toBe(address);
});

test.each([
  ["/kiln/clay#hot", "../../clay.html#hot"],
  ["/kiln/clay/", "../../clay/index.html"],
  ["/kiln/", "../../index.html"],
])("with pages as files, %s is %s", (path, address) => {
  openPage("flat");
  expect(offlineAddress(path)).toBe(address);
});

test("what is not a path of the site stays as it is", () => {
  openPage("folders");
  for (const address of ["/other/", "../clay/index.html", "#hot", "https://example.org/kiln/"])
    expect(offlineAddress(address)).toBe(null);
});

test("an address of another host stays as it is, also where the site is at the root", () => {
  openPage("folders", "/");
  expect(offlineAddress("//other.example/kiln/")).toBe(null);
  expect(offlineAddress("/kiln/")).toBe("../../kiln/index.html");
});
