import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hitAddress } from "../../src/features/search/query/address";
import { countText } from "../../src/features/search/countText";
import { groupHits, hitsInOrder } from "../../src/features/search/query/groups";
import { type Hit, readHit } from "../../src/features/search/query/hits";
import { parseMarks } from "../../src/features/search/query/marks";
import { NO_QUESTION, parseQuestion, pasted, questionHref, toggle } from "../../src/features/search/query/question";
import { makeRequests } from "../../src/features/search/query/requests";
import { chooseCandidates } from "../../src/features/search/query/suggestions";
import { stubBrowser } from "./browser";

beforeEach(() => {
  stubBrowser();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const SITE = "https://published.example.org";

describe("the address of a hit", () => {
  it.each([
    ["https://published.example.org/a?b#c", { href: "/a?b#c", leavesSite: false }],
    ["https://docs.example.org/a", { href: "/a", leavesSite: false }],
    ["/a#b", { href: "/a#b", leavesSite: false }],
    ["https://elsewhere.example.org/a", { href: "https://elsewhere.example.org/a", leavesSite: true }],
    ["javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["https://[", null],
  ])("of %s", (url, expected) => {
    expect(hitAddress(url, SITE)).toEqual(expected);
  });
});

describe("pasted text", () => {
  it.each([
    ["", "error: it\n  failed\n", 0, 0, "error: it failed"],
    ["why did it fail", "connect", 8, 10, "why did connect fail"],
    ["", "x".repeat(600), 0, 0, "x".repeat(512)],
    ["", `${"x".repeat(511)}🔥`, 0, 0, "x".repeat(511)],
    ["🔥", "👍 \uD83D", 2, 2, "🔥👍 "],
  ])("into %j", (query, text, start, end, whole) => {
    expect(pasted(query, text, start, end)).toBe(whole);
  });
});

describe("marks", () => {
  it("take a text apart", () => {
    expect(parseMarks("a \uE000b\uE001 c\uE000d\uE001")).toEqual([
      { text: "a ", isMarked: false },
      { text: "b", isMarked: true },
      { text: " c", isMarked: false },
      { text: "d", isMarked: true },
    ]);
  });

  it.each(["a\uE000b", "a\uE001b", "\uE001a\uE000b", "a\uE000\uE001b"])(
    "that do not fit together leave the text: %j",
    (text) => {
      expect(
        parseMarks(text)
          .map((stretch) => stretch.text)
          .join(""),
      ).toBe("ab");
    },
  );
});

describe("reading a hit", () => {
  const wire = {
    objectID: "1",
    url: "/a",
    type: "content",
    hierarchy: { lvl0: "S", lvl1: "Page", lvl2: "Part", lvl3: null },
  };

  it("titles a text with its snippet and says where it stands", () => {
    const hit = readHit({ ...wire, _snippetResult: { content: { value: "one \uE000two\uE001" } } }, SITE);
    expect(hit).toMatchObject({ form: "text", headline: "Part", trail: ["Page", "Part"], group: "S" });
    expect(hit?.title.at(-1)).toEqual({ text: "two", isMarked: true });
  });

  it("titles a text without snippet with its heading", () => {
    expect(readHit(wire, SITE)).toMatchObject({ form: "heading", title: [{ text: "Part", isMarked: false }] });
  });

  it("leaves out a hit that leads nowhere", () => {
    expect(readHit({ ...wire, url: "javascript:alert(1)" }, SITE)).toBeNull();
  });
});

describe("groups", () => {
  const hit = (objectId: string, group: string, pageTitle: string, form: Hit["form"] = "text"): Hit => ({
    ...{ objectId, group, pageTitle, form, href: `/${objectId}`, leavesSite: false, kind: "guide", version: null },
    ...{ headline: pageTitle, title: [], trail: [], excerpt: null },
  });
  const shown = (hits: Hit[], limit = 5) => hitsInOrder(groupHits(hits, limit)).map(({ objectId }) => objectId);

  it("stand in the order of their best hits, and pages within them", () => {
    const hits = [hit("1", "A", "x"), hit("2", "B", "y"), hit("3", "A", "z"), hit("4", "A", "x")];
    expect(shown(hits)).toEqual(["1", "4", "3", "2"]);
  });

  it("hold no more than their limit", () => {
    const hits = Array.from({ length: 9 }, (_, index) => hit(`${index}`, "A", `p${index}`));
    expect(shown(hits)).toEqual(["0", "1", "2", "3", "4"]);
    expect(shown(hits, 2)).toEqual(["0", "1"]);
  });

  it("let no kind hide another: at most three before the first of the next", () => {
    const api = ["1", "2", "3", "4", "5"].map((id) => ({ ...hit(id, "API", "x"), kind: "api" }));
    const hits = [...api, hit("6", "Guides", "y"), hit("7", "Guides", "y")];
    expect(shown(hits)).toEqual(["1", "2", "3", "6", "7", "4", "5"]);
    expect(groupHits(hits, 5).map(({ label }) => label)).toEqual(["API", "Guides", "API"]);
  });

  it("leave the order of one kind alone", () => {
    const hits = ["1", "2", "3", "4", "5"].map((id) => hit(id, id < "5" ? "A" : "B", "x"));
    expect(shown(hits)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("put a page above what stands on it", () => {
    expect(shown([hit("1", "A", "x"), hit("2", "A", "x", "page")])).toEqual(["2", "1"]);
  });
});

describe("the address of a question", () => {
  it.each(["q=a", "q=a+b%26c&section=One&section=Two&kind=api&scope=all", "q=%3Cb%3E", "q=a&version=1.0", ""])(
    "is read as it was written: %s",
    (search) => {
      const question = parseQuestion(`?${search}`);
      expect(questionHref("/search", question)).toBe(search === "" ? "/search" : `/search?${search}`);
    },
  );

  it("holds 512 characters of the query", () => {
    expect(parseQuestion(`?q=${"a".repeat(600)}`).query).toHaveLength(512);
  });
});

describe("counts", () => {
  it.each([
    [{ count: 1, isExact: true }, "1 result"],
    [{ count: 1000, isExact: true }, "1,000 results"],
    [{ count: 4200, isExact: false }, "about 4,200 results"],
  ])("of %o", (answer, text) => {
    expect(countText(answer)).toBe(text);
  });
});

describe("requests", () => {
  const settings = {
    indexName: "docs",
    scope: { language: "en", version: "2.0" },
    versions: [{ name: "2.0", label: "2.0" }],
    otherSites: {},
    snippetWords: 5,
    hasInsights: true,
  };
  const scope = ["language:en", ["docusaurus_tag:default", "docusaurus_tag:docs-default-2.0"]];

  it("have quotes and minus understood, whatever the index is set to", () => {
    const question = { ...NO_QUESTION, query: '"a b" -c', chosen: { section: ["One"], kind: [] } };
    for (const request of makeRequests(settings, question, 0)) expect(request).toMatchObject({ advancedSyntax: true });
  });

  it("ask for twenty hits in the reader's language and version", () => {
    const [main, ...others] = makeRequests(settings, { ...NO_QUESTION, query: "a" }, 0);
    expect(others).toEqual([]);
    expect(main).toMatchObject({
      query: "a",
      hitsPerPage: 20,
      facetFilters: scope,
      clickAnalytics: true,
      analytics: true,
    });
    expect(main?.attributesToSnippet).toContain("content:5");
  });

  it("count the other values of a chosen facet", () => {
    const chosen = toggle(NO_QUESTION.chosen, "kind", "api");
    const [main, counts] = makeRequests(settings, { ...NO_QUESTION, query: "a", chosen }, 0);
    expect(main?.facetFilters).toEqual([...scope, ["kind:api"]]);
    expect(counts).toMatchObject({ facetFilters: scope, facets: ["kind"], hitsPerPage: 0, analytics: false });
  });

  it("leave the filters out when one searches everywhere", () => {
    expect(makeRequests(settings, { ...NO_QUESTION, query: "a", isEverywhere: true }, 0)[0]?.facetFilters).toEqual([]);
  });

  describe("of a site with several versions", () => {
    const versions = [...settings.versions, { name: "1.0", label: "1.0 (old)" }];
    const several = { ...settings, versions };
    const chosen = toggle(NO_QUESTION.chosen, "kind", "api");

    it("count the hits of each version in the reader's language, with the filters chosen", () => {
      const requests = makeRequests(several, { ...NO_QUESTION, query: "a", chosen }, 0);
      expect(requests).toHaveLength(3);
      const facetFilters = ["language:en", ["kind:api"]];
      expect(requests[2]).toMatchObject({ facetFilters, facets: ["version"], hitsPerPage: 0, analytics: false });
      expect(makeRequests(several, { ...NO_QUESTION, query: "a" }, 1)).toHaveLength(1);
      expect(makeRequests(several, { ...NO_QUESTION, query: "a", isEverywhere: true }, 0)).toHaveLength(1);
    });

    it("look into the version that was chosen", () => {
      const [main] = makeRequests(several, { ...NO_QUESTION, query: "a", version: "1.0" }, 0);
      expect(main?.facetFilters).toEqual([
        "language:en",
        ["docusaurus_tag:default", "docusaurus_tag:docs-default-1.0"],
      ]);
    });
  });
});

describe("suggestions", () => {
  it("are titles with like words first", () => {
    const titles = ["Install", "Model muxing", "Workspaces"];
    expect(chooseCandidates("workspasces", titles, [])[0]).toBe("Workspaces");
    expect(chooseCandidates("muxxing", titles, ["Install"])[0]).toBe("Model muxing");
  });

  it("are never the query itself", () => {
    expect(chooseCandidates(" install", ["Install"], [])).toEqual([]);
  });

  it("are what was seen before, where nothing is alike", () => {
    expect(chooseCandidates("qqqq", ["Install"], ["Seen"])).toEqual(["Seen", "Install"]);
  });
});
