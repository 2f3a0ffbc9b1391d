import { describe, expect, it } from "vitest";
import { firstValid } from "../src/features/tabs/tabMemory";
import { hidesAfter } from "../src/features/top-bar/hideOnScroll";
import { activeHeading } from "../src/features/toc/watchHeadings";
import { errorMessages } from "../src/ui/errorMessages";
import { formatDate } from "../src/ui/words";
import { collapseDuration } from "../src/ui/collapseDuration";

describe("the heading that is read", () => {
  const at = (...tops: number[]) => tops.map((top, index) => ({ id: `h${index}`, top }));

  it("is none above the first", () => {
    expect(activeHeading(at(900, 1200), 450, false)).toBeNull();
  });

  it("is the first in the upper half", () => {
    expect(activeHeading(at(-300, 100, 200), 450, false)).toBe("h1");
  });

  it("is the last one above when none is in the upper half", () => {
    expect(activeHeading(at(-300, -20, 600), 450, false)).toBe("h1");
  });

  it("is the last at the end of the page", () => {
    expect(activeHeading(at(-300, 500, 600), 450, true)).toBe("h2");
    expect(activeHeading(at(-300, -200), 450, false)).toBe("h1");
  });

  it("asks for no place below the one that answers: each question lays out a part of the page", () => {
    const asked: string[] = [];
    const headings = [20, 900, 1800].map((top, index) => ({
      id: `h${index}`,
      get top() {
        asked.push(`h${index}`);
        return top;
      },
    }));
    expect(activeHeading(headings, 450, false)).toBe("h0");
    expect(asked).toEqual(["h0"]);
  });
});

it("opens content as long as its height requires", () => {
  expect([36, 100, 300, 1000, 3000].map(collapseDuration)).toEqual([192, 239, 312, 440, 660]);
});

describe("the remembered tab", () => {
  it("is the first choice that names a tab which is there", () => {
    expect(firstValid(["nonsense", "linux"], ["macos", "linux"])).toBe("linux");
    expect(firstValid(["macos", "linux"], ["macos", "linux"])).toBe("macos");
    expect(firstValid([null, "gone"], ["macos"])).toBeNull();
  });
});

describe("a top bar that hides", () => {
  it("hides on the way down and shows on the way up", () => {
    expect(hidesAfter(500, 600, 2000)).toBe(true);
    expect(hidesAfter(600, 500, 2000)).toBe(false);
  });

  it("is always there near the top, and stays away at the very end", () => {
    expect(hidesAfter(10, 40, 2000)).toBe(false);
    expect(hidesAfter(2010, 2000, 10)).toBe(true);
  });
});

it("tells an error and its causes", () => {
  const error = new Error("The page could not be drawn.", { cause: new Error("No such field.", { cause: "text" }) });
  expect(errorMessages(error)).toEqual(["The page could not be drawn.", "No such field.", "text"]);
});

it("writes dates in the page's language and in UTC", () => {
  expect(formatDate("2025-06-01T23:30:00Z")).toBe("Jun 1, 2025");
  expect(formatDate("soon")).toBe("soon");
});
