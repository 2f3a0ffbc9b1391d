import { beforeEach, expect, it } from "vitest";
import { searchHosts } from "../../src/features/search/client/searchClient";
import type { SearchData } from "../../src/payload.gen";
import { stubBrowser } from "./browser";

const SEARCH: SearchData = {
  mode: "server",
  base: "/",
  appId: "app",
  apiKey: "key",
  indexName: "docs",
  hosts: [],
  placeholder: "Search docs",
  pageHref: "/search",
  resultsPerGroup: 5,
  otherSites: {},
  missingResultsUrl: null,
  insights: null,
};

beforeEach(() => {
  stubBrowser();
});

it.each([
  [["/"], ["https://docs.example.org"]],
  [["/team/docs/"], ["https://docs.example.org/team/docs"]],
  [
    ["https://one.example/", "https://two.example:8108"],
    ["https://one.example", "https://two.example:8108"],
  ],
])("asks %j at %j", (hosts, addresses) => {
  expect(searchHosts({ ...SEARCH, hosts })).toEqual(addresses);
});
