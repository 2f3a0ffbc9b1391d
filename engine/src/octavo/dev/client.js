// Follows the builds of `octavo dev`: shows the open page as it is now, and what is wrong with the site.
// Plain script, served behind exchange.js; the page itself is exchanged by the theme (features/navigation/refresh.ts).
"use strict";
(() => {
  /** State of the site that this page shows, as it was loaded. */
  const loaded = Number(document.currentScript.dataset.number);
  /** Time between two looks for a server that was ended, in ms. */
  const RETRY_MS = 500;
  let known = null;
  let policy = "";
  let working = Promise.resolve();

  listen(document.currentScript.dataset.token);

  function listen(token) {
    const events = new EventSource(`/_octavo/dev/events?token=${encodeURIComponent(token)}`);
    events.onmessage = follow;
    events.onerror = () => {
      if (events.readyState === EventSource.CLOSED) renewToken();
    };
  }

  /** A server that was started anew has another token, which its pages hold. */
  async function renewToken() {
    try {
      const page = await (await fetch(location.href, { cache: "no-store" })).text();
      const parsed = new DOMParser().parseFromString(page, "text/html");
      const token = parsed.querySelector("script[data-token]")?.dataset.token;
      if (token !== undefined) {
        listen(token);
        return;
      }
    } catch {
      // It does not answer yet.
    }
    setTimeout(renewToken, RETRY_MS);
  }

  function follow({ data }) {
    const message = JSON.parse(data);
    const before = known ?? { ...message, number: loaded };
    if (known === null) policy = message.policy;
    known = message;
    if (message.problems !== null) showProblems(message);
    if (message.failure !== "") return;
    // One that was missed may have been about this page; after a new start of the server, any may have been.
    const isMissed = message.session !== before.session || message.number - before.number > 1;
    const isGreeting = message.pages.length === 0 && message.touched.length === 0 && !message.isWhole;
    const isWhole = message.isWhole || isMissed || (isGreeting && message.number !== before.number);
    if (isGreeting && !isWhole) return;
    // The policy of a document stands when it is loaded: what it does not let pass would be missing.
    if ((isWhole || message.hasNeeds) && message.policy !== policy) location.reload();
    else working = working.then(() => update({ ...message, isWhole }));
  }

  async function update({ number, pages, touched, isWhole, styles }) {
    if (isWhole) exchangeStyles(styles);
    const keep = remember();
    document.querySelectorAll(".prose").forEach(exchangeSparingly);
    const event = new CustomEvent("octavo:refresh", { detail: { pages, touched, isWhole } });
    dispatchEvent(event);
    try {
      // A page that does not live yet has nobody who listens.
      if (event.detail.done === undefined) {
        if (isWhole || [...pages.map(({ path }) => path), ...touched].some(isOpen)) location.reload();
        return;
      }
      if (await event.detail.done) keep();
      document.documentElement.dataset.refreshed = String(number);
    } catch {
      location.reload();
    }
  }

  /** Take over the site's own style sheets; the old ones go when the new ones are there, so that no frame is bare. */
  function exchangeStyles(addresses) {
    const old = [...document.querySelectorAll("link[data-site]")];
    if (old.map((link) => link.getAttribute("href")).join() === addresses.join()) return;
    const added = addresses.map((href) => Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    const loaded = added.map((link) => {
      link.dataset.site = "";
      return new Promise((done) => (link.onload = link.onerror = done));
    });
    const last = [...document.head.querySelectorAll("link[rel=stylesheet]")].at(-1);
    last.after(...added);
    Promise.all(loaded).then(() => old.forEach((link) => link.remove()));
  }

  function isOpen(path) {
    const plain = (address) => decodeURI(address).replace(/\/$/, "");
    return plain(path) === plain(location.pathname);
  }

  /** Note what the reader has chosen and typed; the answer puts it back. */
  function remember() {
    const main = document.getElementById("main") ?? document.body;
    const values = fields(main).map((field) => [keyOf(field), field.value, field.checked]);
    const tabs = [...main.querySelectorAll(".tabs")].map(
      (set) => set.querySelector("[role=tab][aria-selected=true]")?.textContent ?? null,
    );
    const open = new Set([...main.querySelectorAll("details")].filter(({ open }) => open).map(textOfSummary));
    const y = scrollY;
    return () => {
      const now = document.getElementById("main") ?? document.body;
      for (const field of fields(now)) {
        const known = values.find(([key]) => key === keyOf(field));
        if (known !== undefined) [, field.value, field.checked] = known;
      }
      for (const details of now.querySelectorAll("details")) {
        if (open.has(textOfSummary(details))) details.open = true;
      }
      whenTabsLive(now, () => {
        [...now.querySelectorAll(".tabs")].forEach((set, index) => {
          const all = [...set.querySelectorAll("[role=tab]")];
          const chosen = all.find(({ textContent }) => textContent === tabs[index]);
          if (chosen?.getAttribute("aria-selected") === "false") chosen.click();
        });
        scrollTo({ top: y, behavior: "instant" });
      });
      scrollTo({ top: y, behavior: "instant" });
    };
  }

  function fields(root) {
    return [...root.querySelectorAll("input:not([type=file]), textarea, select")];
  }

  function keyOf(field) {
    return field.id || field.name || `${field.tagName} ${fields(document).indexOf(field)}`;
  }

  function textOfSummary(details) {
    return details.querySelector("summary")?.textContent ?? "";
  }

  /** Tabs come alive a moment after the page. */
  function whenTabsLive(root, then, tries = 60) {
    const isWaiting = [...root.querySelectorAll(".tabs")].some((set) => set.dataset.live === undefined);
    if (isWaiting && tries > 0) requestAnimationFrame(() => whenTabsLive(root, then, tries - 1));
    else then();
  }

  const STYLE = `
    section { position: fixed; inset: auto 1rem 1rem auto; z-index: 9999; box-sizing: border-box; padding: 1rem;
      width: min(46rem, 100vw - 2rem); max-height: 60vh; overflow: auto; border: 2px solid #d3453c; border-radius: 8px;
      background: Canvas; color: CanvasText; font: 14px/1.5 ui-monospace, monospace; box-shadow: 0 4px 24px #0006 }
    h2 { margin: 0 0 .5rem; font-size: 1rem } ol { margin: 0; padding: 0; list-style: none }
    li { padding: .5rem 0; border-top: 1px solid color-mix(in srgb, CanvasText 20%, Canvas) } b { display: block } pre { margin: .25rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere }
    button { float: right; font: inherit; padding: .25rem .75rem }`;

  let host = null;

  /** Show what is wrong, or take it away where nothing is. All of it is set as text. */
  function showProblems({ problems, failure }) {
    host?.remove();
    host = null;
    if (problems.length === 0 && failure === "") return;
    host = document.createElement("octavo-problems");
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const box = make("section");
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Problems of the site");
    box.tabIndex = 0;
    const close = make("button", "Close");
    close.onclick = () => host?.remove();
    const list = make("ol");
    if (failure !== "") list.append(entry(failure, "", ""));
    for (const { span, level, message, suggestion, excerpt } of problems) {
      const place = `${span.path}:${span.line}:${span.column}: ${level === "error" ? "error" : "warning"}`;
      list.append(entry(place, `${message} ${suggestion}`.trim(), excerpt));
    }
    box.append(close, make("h2", `${list.children.length} to mend`), list);
    root.append(box);
    document.body.append(host);
  }

  function entry(place, text, excerpt) {
    const item = make("li");
    item.append(make("b", place), text);
    if (excerpt.trim() !== "") item.append(make("pre", excerpt));
    return item;
  }

  function make(name, text = "") {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  }
})();
