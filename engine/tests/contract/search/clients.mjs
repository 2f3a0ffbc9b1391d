// Scenarios of the official clients. Each prints what the client has given it, as JSON.
import { algoliasearch } from "algoliasearch";
import { liteClient } from "algoliasearch/lite";
import algoliasearch4 from "algoliasearch4";
import instantsearchModule from "instantsearch.js";
import connectors from "instantsearch.js/cjs/connectors/index.js";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import * as reactInstantSearch from "react-instantsearch";
import { createInsightsClient, getRequesterForNode } from "search-insights";

const { connectHits, connectPagination, connectRange, connectRefinementList, connectSearchBox, connectSortBy, connectStats } =
  connectors;
const instantsearch = instantsearchModule.default ?? instantsearchModule;
const [, , scenario, values] = process.argv;
const { origin, appId, apiKey, index, ...rest } = JSON.parse(values);
const { host, protocol } = new URL(origin);
const hosts = [{ url: host, protocol: protocol.replace(":", ""), accept: "readWrite" }];

/** The lite client: what DocSearch and InstantSearch are made with. */
async function lite() {
  const client = liteClient(appId, apiKey, { hosts });
  return client.search([{ indexName: index, query: rest.query, hitsPerPage: 3 }]);
}

/** Every search method of the full client. */
async function full() {
  const client = algoliasearch(appId, apiKey, { hosts });
  const many = await client.search({ requests: [{ indexName: index, query: rest.query, hitsPerPage: 2 }] });
  const one = await client.searchSingleIndex({ indexName: index, searchParams: { query: rest.query, hitsPerPage: 1 } });
  const objectID = one.hits[0].objectID;
  const object = await client.getObject({ indexName: index, objectID });
  const facet = await client.searchForFacetValues({
    indexName: index,
    facetName: "kind",
    searchForFacetValuesRequest: { facetQuery: "gui" },
  });
  const recommend = client.initRecommend({ options: { hosts } });
  const related = await recommend.getRecommendations({
    requests: [{ indexName: index, objectID, model: "related-products", threshold: 0, maxRecommendations: 3 }],
  });
  return { many, one, object, facet, related };
}

/** Version 4, with which many sites and tools still search. */
async function older() {
  const client = algoliasearch4(appId, apiKey, { hosts: [{ url: host, protocol: protocol.replace(":", "") }] });
  const opened = client.initIndex(index);
  const found = await opened.search(rest.query, { hitsPerPage: 2 });
  const many = await client.multipleQueries([{ indexName: index, query: rest.query, params: { hitsPerPage: 2 } }]);
  const { objectID } = found.hits[0];
  const browsed = [];
  await opened.browseObjects({ filters: "kind:code", hitsPerPage: 700, batch: (hits) => browsed.push(...hits) });
  return {
    found: found.hits.map((hit) => hit.objectID),
    many: many.results[0].hits.map((hit) => hit.objectID),
    object: (await opened.getObject(objectID)).objectID,
    objects: (await opened.getObjects([objectID])).results.map((hit) => hit.objectID),
    place: (await opened.findObject((hit) => hit.objectID === objectID, { query: rest.query })).position,
    facet: (await opened.searchForFacetValues("kind", "gui")).facetHits.map(({ value }) => value),
    browsed: browsed.length,
    exists: [await opened.exists(), await client.initIndex("unknown").exists()],
    settings: Object.keys(await opened.getSettings()),
    indices: (await client.listIndices()).items.map(({ name }) => name),
  };
}

/** What the client makes of the protocol's errors. */
async function errors() {
  const search = (id, key, indexName, params = {}) =>
    liteClient(id, key, { hosts })
      .search([{ indexName, query: "a", ...params }])
      .then(() => "no error")
      .catch((error) => ({ name: error.name, message: error.message, status: error.status }));
  return {
    key: await search(appId, "wrong", index),
    index: await search(appId, apiKey, "unknown"),
    parameter: await search(appId, apiKey, index, { hitsPerPage: "many" }),
  };
}

/** InstantSearch: type, refine by a facet, turn the page. */
async function instant() {
  const client = liteClient(appId, apiKey, { hosts });
  const search = instantsearch({ indexName: index, searchClient: client, future: { preserveSharedStateOnUnmount: true } });
  const seen = {};
  search.addWidgets([
    connectSearchBox(({ refine }) => (seen.type = refine))({}),
    connectHits(({ items, results }) => Object.assign(seen, { items, results }))({}),
    connectRefinementList(({ items, refine }) => Object.assign(seen, { kinds: items, refineKind: refine }))({ attribute: "kind" }),
    connectPagination(({ nbPages, currentRefinement, refine }) =>
      Object.assign(seen, { nbPages, page: currentRefinement, turn: refine }),
    )({}),
  ]);
  search.start();
  const settled = () =>
    new Promise((resolve, reject) => {
      search.once("render", () => setTimeout(resolve));
      search.once("error", reject);
    });
  const shown = () => ({
    ids: seen.items.map((hit) => hit.objectID),
    kinds: seen.kinds.map(({ value, count, isRefined }) => ({ value, count, isRefined })),
    marked: seen.items[0]?._highlightResult.hierarchy.lvl1.value,
    kindOfHits: [...new Set(seen.items.map((hit) => hit.kind))],
    page: seen.page,
    nbPages: seen.nbPages,
    nbHits: seen.results?.nbHits,
  });
  const until = async (test) => {
    while (!test()) await settled();
  };
  await until(() => seen.results && !seen.results.__isArtificial);
  const steps = [];
  seen.type(rest.query);
  await until(() => seen.results.query === rest.query);
  steps.push(shown());
  seen.refineKind(rest.kind);
  await until(() => seen.items.length && seen.items.every((hit) => hit.kind === rest.kind));
  steps.push(shown());
  seen.turn(1);
  await until(() => seen.results.page === 1);
  steps.push(shown());
  search.dispose();
  return steps;
}

/** The connectors behind Stats, RangeInput and SortBy, of instantsearch.js and react-instantsearch alike. */
async function widgets() {
  const client = liteClient(appId, apiKey, { hosts });
  const search = instantsearch({ indexName: index, searchClient: client, initialUiState: { [index]: { query: rest.query } } });
  const seen = {};
  search.addWidgets([
    connectSearchBox(() => {})({}),
    connectHits(({ items, results }) => Object.assign(seen, { items, results }))({}),
    connectStats(({ nbHits, nbPages, query }) => Object.assign(seen, { stats: { nbHits, nbPages, query } }))({}),
    connectRange(({ range, canRefine, refine }) => Object.assign(seen, { range, canRefine, narrow: refine }))({
      attribute: "weight.level",
    }),
    connectSortBy(({ currentRefinement, refine }) => Object.assign(seen, { order: currentRefinement, sort: refine }))({
      items: [index, `${index}_title_desc`].map((value) => ({ value, label: value })),
    }),
  ]);
  search.start();
  const until = async (test) => {
    while (!test()) {
      await new Promise((resolve, reject) => {
        search.once("render", () => setTimeout(resolve));
        search.once("error", reject);
      });
    }
  };
  await until(() => seen.results && !seen.results.__isArtificial);
  const first = { stats: seen.stats, range: seen.range, canRefine: seen.canRefine };
  seen.narrow([50, 100]);
  await until(() => seen.items.length && seen.items.every((hit) => hit.weight.level >= 50));
  const narrowed = { stats: seen.stats, levels: seen.items.map((hit) => hit.weight.level) };
  seen.sort(`${index}_title_desc`);
  await until(() => seen.results.index === `${index}_title_desc`);
  const sorted = { order: seen.order, titles: seen.items.map((hit) => hit.hierarchy.lvl1) };
  search.dispose();
  return { first, narrowed, sorted };
}

/** The widgets of react-instantsearch, drawn to HTML with what their searches have found. */
async function react() {
  const { InstantSearch, InstantSearchSSRProvider, getServerState } = reactInstantSearch;
  const { Configure, Hits, Pagination, RangeInput, RefinementList, SearchBox, SortBy, Stats } = reactInstantSearch;
  const order = `${index}_title_desc`;
  const draw = async (state) => {
    const widgets = [
      createElement(Configure, { key: "configure", hitsPerPage: 5 }),
      createElement(SearchBox, { key: "box" }),
      createElement(Stats, { key: "stats" }),
      createElement(RefinementList, { key: "kinds", attribute: "kind" }),
      createElement(RangeInput, { key: "level", attribute: "weight.level" }),
      createElement(SortBy, { key: "order", items: [index, order].map((value) => ({ value, label: value })) }),
      createElement(Hits, { key: "hits", hitComponent: ({ hit }) => createElement("b", null, hit.hierarchy.lvl1) }),
      createElement(Pagination, { key: "pages" }),
    ];
    const page = (results) =>
      createElement(
        InstantSearchSSRProvider,
        results,
        createElement(
          InstantSearch,
          {
            indexName: index,
            searchClient: liteClient(appId, apiKey, { hosts }),
            initialUiState: { [index]: { query: rest.query, ...state } },
          },
          widgets,
        ),
      );
    return renderToString(page(await getServerState(page(), { renderToString })));
  };
  return {
    typed: await draw({}),
    refined: await draw({ refinementList: { kind: [rest.kind] } }),
    narrowed: await draw({ range: { "weight.level": "50:100" } }),
    turned: await draw({ page: 2 }),
    sorted: await draw({ sortBy: order }),
  };
}

/** The insights client sends what a reader has seen and chosen. */
async function insights() {
  const client = liteClient(appId, apiKey, { hosts });
  const { results } = await client.search([{ indexName: index, query: rest.query, clickAnalytics: true }]);
  const { queryID, hits } = results[0];
  const aa = createInsightsClient(getRequesterForNode());
  aa("init", { appId, apiKey, host: origin });
  const userToken = "anonymous-1";
  const viewed = await aa("viewedObjectIDs", {
    userToken,
    index,
    eventName: "Items Viewed",
    objectIDs: hits.slice(0, 3).map((hit) => hit.objectID),
  });
  const clicked = await aa("clickedObjectIDsAfterSearch", {
    userToken,
    index,
    eventName: "Item Selected",
    queryID,
    objectIDs: [hits[0].objectID],
    positions: [1],
  });
  return { queryID, viewed, clicked };
}

/** What reads an index rather than searching it, and keys that clients make. */
async function reading() {
  const client = algoliasearch(appId, apiKey, { hosts });
  const browsed = [];
  await client.browseObjects({
    indexName: index,
    browseParams: { hitsPerPage: 700, attributesToRetrieve: ["url"], filters: "kind:guide" },
    aggregator: (page) => browsed.push(...page.hits.map((hit) => hit.objectID)),
  });
  const wanted = browsed.slice(0, 2);
  const objects = await client.getObjects({ requests: wanted.map((objectID) => ({ indexName: index, objectID })) });
  const got = await client.customGet({ path: `1/indexes/${index}`, parameters: { query: "muxing", hitsPerPage: 1 } });
  const sorted = await client.searchSingleIndex({ indexName: `${index}_title_desc`, searchParams: { query: "secrets" } });
  const parentApiKey = apiKey;
  const secured = (restrictions) => client.generateSecuredApiKey({ parentApiKey, restrictions });
  const kinds = async (key) => {
    const found = await liteClient(appId, key, { hosts })
      .search([{ indexName: index, query: "secrets", facets: ["kind"], filters: "language:en" }])
      .catch((error) => ({ status: error.status }));
    return found.results ? Object.keys(found.results[0].facets.kind) : found.status;
  };
  return {
    browsed,
    wanted,
    got: got.hits.length,
    sorted: sorted.hits.map((hit) => hit.hierarchy.lvl1),
    objects: objects.results.map((hit) => hit.objectID),
    settings: Object.keys(await client.getSettings({ indexName: index })),
    indices: (await client.listIndices()).items.map((item) => item.name),
    exists: [await client.indexExists({ indexName: index }), await client.indexExists({ indexName: "unknown" })],
    filtered: await kinds(secured({ filters: "kind:code" })),
    expired: await kinds(secured({ validUntil: 1 })),
    elsewhere: await kinds(secured({ restrictIndices: ["other"] })),
    forged: await kinds(btoa(atob(secured({ filters: "kind:code" })).replace("code", "guide"))),
  };
}

console.log(JSON.stringify(await { lite, full, older, errors, instant, widgets, react, insights, reading }[scenario]()));
