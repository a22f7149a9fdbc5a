// To the next screen without leaving this one before that is here: a server that is away shows as a state on the page,
// never as the browser's error page.

import { longer, PATIENCE_MS, pauseAfter, wakeUp, within } from "./outbox.js";

const PAUSE_MS = 1000;

let shown = location.pathname;

// What was put in place has no copy in the browser's history: going back loads it. An answered screen stands there by
// its own address, where it can be revised.
addEventListener("popstate", () => {
  if (location.pathname !== shown) location.reload();
});

/**
 * Put the screen that came with a confirmed answer in place of this one. `answered` is the address of the answered
 * screen, if there is one. Returns whether it is there; if not, the browser loads it.
 */
export function show({ next, screen, assets }, answered) {
  const loaded = loadedBy(document);
  if (!assets.every((asset) => loaded.has(asset))) {
    leaveFor(next, answered);
    return false;
  }
  const page = new DOMParser().parseFromString(screen, "text/html");
  document.querySelector("[data-screen]").replaceWith(page.querySelector("[data-screen]"));
  arrive(next, answered);
  return true;
}

/**
 * Put the page at the address, on this server, in place of this one. `report` is told "loading" while there is none.
 * `answered` is as above; `landing` is the path to which the address leads. Resolves to whether the page is there.
 */
export async function goTo(address, report, answered, landing = address) {
  const { response, text } = await fetched(address, report);
  const page = new DOMParser().parseFromString(text, "text/html");
  const assets = loadedBy(document);
  // A redirect to the address itself is a step towards what it shows.
  const elsewhere = new URL(response.url).pathname !== landing;
  if (elsewhere || ![...loadedBy(page)].every((asset) => assets.has(asset))) {
    leaveFor(response.url, answered);
    return false;
  }
  document.title = page.title;
  const { lang, dir } = page.documentElement;
  Object.assign(document.documentElement, { lang, dir });
  document.body.replaceWith(page.body);
  arrive(landing, answered);
  return true;
}

/** Be at the address, with the eyes and the focus where its page begins. */
function arrive(address, answered) {
  noteAnswered(answered);
  if (address !== location.pathname) history.pushState(null, "", address);
  shown = location.pathname;
  scrollTo(0, 0);
  document.querySelector("main").focus();
}

function leaveFor(address, answered) {
  noteAnswered(answered);
  location.assign(address);
}

function noteAnswered(address) {
  if (address) history.replaceState(null, "", address);
}

async function fetched(address, report) {
  for (let patience = PATIENCE_MS; ; patience = longer(patience)) {
    let response = null;
    try {
      response = await fetch(address, { credentials: "same-origin", cache: "no-store", signal: within(patience) });
      if (response.status < 500) return { response, text: await response.text() };
    } catch {
      // The network or the server is away, or went away within the page.
    }
    report("loading");
    await wakeUp(pauseAfter(response, PAUSE_MS));
  }
}

/** The addresses of scripts and styles; other ones than ours if the server was updated meanwhile. */
function loadedBy(page) {
  const elements = page.head.querySelectorAll("script[src], link[href]");
  return new Set([...elements].map((element) => element.getAttribute("src") ?? element.getAttribute("href")));
}
