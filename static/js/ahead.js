// Screens ahead: the next ones are in the page before they are needed. An answer shows the next at once and is sent in
// the background; without the network, answers go on until the screens ahead are used up. The last answer can be changed
// before it has arrived.

import { show } from "./onwards.js";
import { pending, PREFIX, sendAll } from "./outbox.js";

/** With fewer screens ahead, the page asks for more, after every few answers. */
const ENOUGH = 26;
const FEW = 5;

const work = document.querySelector("[data-ahead]");
const screen = () => document.querySelector("[data-screen]");
const form = () => screen().querySelector("[data-answer]");

/** Screens to come, by their showings; `assets` are the files that they need. */
let ahead = [];
let assets = [];
/** The screen that was answered last, with its answer, to be changed. */
let last = null;
let isSending = false;
let say = () => {};
/** Addresses to which this page, one before it, or another tab has sent answers. */
const answeredAt = new Set(pending().map(({ address }) => address));
const isAnswered = ({ showing }) => [...answeredAt].some((address) => address.includes(showing));

/** A key by which the server knows an answer; browsers make UUIDs themselves only on secure pages. */
const newKey = () =>
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (Number(digit) ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (Number(digit) / 4)))).toString(16),
  );

/** Ask for screens that are not here yet, and forget those that have gone to others. */
async function fill() {
  const held = ahead.map(({ showing }) => ["held", showing]);
  const response = await fetch(`${work.dataset.ahead}?${new URLSearchParams(held)}`).catch(() => null);
  const words = response?.ok ? await response.json().catch(() => null) : null;
  if (!words) return;
  assets = words.assets;
  const isHere = ({ showing }) => ahead.some((each) => each.showing === showing);
  ahead = ahead.filter(({ showing }) => words.ahead.includes(showing));
  ahead.push(...words.screens.filter((each) => !isHere(each) && !isAnswered(each)));
  forgetShown();
}

function forgetShown() {
  ahead = ahead.filter(({ showing }) => showing !== screen()?.dataset.showing);
}

async function send() {
  if (isSending) return;
  isSending = true;
  let isOvertaken = false;
  const reply = await sendAll(work.dataset.campaign, (what) => {
    isOvertaken ||= what === "overtaken";
    say(what);
  });
  isSending = false;
  if (!reply) say("reload");
  if (reply && !pending().length) {
    say(isOvertaken ? "overtaken" : "saved");
    if (ahead.length && ahead.length < ENOUGH && ahead.length % FEW === 0) fill();
  }
}

/** Put a screen in place of this one, which was answered at the address, if it is given. */
function put(next, answered) {
  if (!show({ next: work.dataset.campaign, screen: next, assets }, answered)) return;
  screen().dataset.ahead = "";
  dispatchEvent(new Event("assay-shown"));
}

/** The screen as it is, to be shown again. */
function kept() {
  for (const input of form().querySelectorAll("input")) input.toggleAttribute("checked", input.checked);
  return screen().outerHTML;
}

/** The screen as it was answered just now, for a change of the answer. */
function keepAnswered() {
  const { elements } = form();
  screen().dataset.revision = "";
  elements.revises.value = Number(elements.revises.value) + 1;
  elements.key.value = newKey();
  for (const shown of screen().querySelectorAll("[data-again], [data-cancel]")) shown.hidden = false;
  screen().querySelector("[data-last]")?.remove();
  last = { screen: kept(), showing: screen().dataset.showing };
}

if (work) {
  document.addEventListener("assay-screen", ({ detail }) => {
    say = detail;
    const { showing, ahead: isPut, revision } = screen().dataset;
    // A reply that was made before its answer was stored: what comes next is another one.
    const isStale = isPut === undefined && revision === undefined && !pending().length;
    if (isStale && isAnswered({ showing })) return location.assign(work.dataset.campaign);
    forgetShown();
    // Also on the first screen of a batch, whose page came in place of the pause.
    if (!ahead.length) fill();
  });

  addEventListener("assay-leave", (event) => {
    const answered = event.detail;
    if (answered) answeredAt.add(answered);
    const isSkip = answered && answered !== form().getAttribute("action");
    if (isSkip || !ahead.length) {
      last = null;
      return;
    }
    event.preventDefault();
    if (answered) keepAnswered();
    put(ahead.shift().screen, answered);
    if (pending().length) send();
  });

  // Another tab has answered one of these.
  addEventListener("storage", ({ key, newValue }) => {
    if (!newValue || !key.startsWith(PREFIX)) return;
    answeredAt.add(JSON.parse(newValue).address);
    ahead = ahead.filter((each) => !isAnswered(each));
  });

  document.addEventListener("click", (event) => {
    if (!last || !event.target.closest("[data-last]")) return;
    event.preventDefault();
    ahead.unshift({ screen: kept(), showing: screen().dataset.showing });
    put(last.screen);
  });
}
