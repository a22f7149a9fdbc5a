// The annotator's screen: keys, draft, sending. Without scripts the form works as a plain form.
//
// The script knows no protocol. What an answer needs, the inputs of a correction say by `required`, `min` and
// `max`; what the keys do, by these:
//   data-handle       takes the focus when the correction is taken in hand; of several, the checked one
//   data-key="3"      is clicked by this key; with data-onwards, the next correction is taken in hand then
//   data-digits       the box into which digits are typed
//   data-slider-of    a slider, and the box that holds its value (scale.js)

import { activeMilliseconds, openedAt, restart } from "./clock.js";
import { goTo, show } from "./onwards.js";
import { keep, pending, post, sendAll, tryNow } from "./outbox.js";
import { connect } from "./scale.js";

const MARKS_NAME = "assay-marks";
const STATES = {
  sending: "Saving …",
  saved: "Saved",
  waiting: "Waiting for the network; your answer is kept",
  reload: "Please load the page again; your answer is kept",
  ended: "Your session has ended; your answer is kept",
};
const NOT_IN_A_DRAFT = ["csrfmiddlewaretoken", "revises", "started_at", "active_ms"];

/** Ends what listens, beyond itself, for the screen that was left. */
let leaving = new AbortController();

/** Take the screen on the page into service, if there is one. */
function begin() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const work = document.querySelector("[data-work]");
  if (!work) return;
  restart();
  const screen = document.querySelector("[data-screen]");
  const form = document.querySelector("[data-answer]");
  const state = document.querySelector("[data-state]");
  const fault = document.querySelector("[data-fault]");
  const corrections = document.querySelector("[data-incomplete]");
  const outputs = [...document.querySelectorAll("[data-output]")];
  const practising = !screen.dataset.showing;
  const draftName = `assay-draft-${screen.dataset.showing}`;

  // --- Which correction is in hand, and what is entered for it

  const isIncomplete = (output) => output.querySelector("input:invalid") !== null;

  function inHand() {
    const focused = outputs.find((output) => output.contains(document.activeElement));
    return focused ?? outputs.find(isIncomplete) ?? outputs[0];
  }

  function takeInHand(output) {
    const handle = output.querySelector("[data-handle]:checked") ?? output.querySelector("[data-handle]");
    handle.focus();
    output.scrollIntoView({ block: "nearest" });
  }

  function move(step) {
    const place = outputs.indexOf(inHand()) + step;
    if (outputs[place]) takeInHand(outputs[place]);
  }

  /** Whether a control of the correction in hand takes the key. */
  function press(event, key) {
    const output = inHand();
    const control = output.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (control) {
      event.preventDefault();
      control.click();
      if (control.hasAttribute("data-onwards")) takeInHand(outputs[outputs.indexOf(output) + 1] ?? output);
      return true;
    }
    const box = /^[0-9]$/.test(key) ? output.querySelector("[data-digits]") : null;
    box?.focus();
    box?.select();
    return box !== null;
  }

  // --- Panels

  function open(id) {
    const panel = document.getElementById(id);
    if (!panel.hidden) return closePanels();
    closePanels();
    panel.hidden = false;
    panel.focus();
  }

  function closePanels() {
    for (const panel of document.querySelectorAll("[data-panel]")) {
      if (panel.contains(document.activeElement)) takeInHand(inHand());
      panel.hidden = true;
    }
  }

  // --- Edits shown or not: remembered in this browser

  const marks = document.querySelector("[data-marks]");

  function showMarks(shown) {
    work.classList.toggle("marked", shown);
    marks.setAttribute("aria-pressed", String(shown));
    localStorage.setItem(MARKS_NAME, shown ? "on" : "off");
  }

  // --- Draft

  let draftTimer = null;
  let sent = false;

  const fieldOf = (draft, name) => draft.find(([known]) => known === name)?.[1];
  const entries = () => [...new FormData(form).entries()].filter(([name]) => name !== "key");

  function saveDraft() {
    localStorage.setItem(draftName, JSON.stringify(entries()));
    clearTimeout(draftTimer);
    draftTimer = setTimeout(async () => {
      if (sent) return;
      const response = await post(screen.dataset.draft, entries());
      if (response?.ok) say("saved");
      else if (response?.status === 401) sessionEnded();
      else if (!response) state.textContent = "Not saved on the server yet; kept in this browser";
    }, 400);
  }

  /** What was entered here before, unless an answer has overtaken it. */
  function restoreDraft() {
    const draft = JSON.parse(localStorage.getItem(draftName) ?? "[]");
    const ticked = new Set(draft.map(([name]) => name));
    if (fieldOf(draft, "revises") !== form.elements.revises.value) return;
    for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = ticked.has(box.name);
    for (const [name, value] of draft) {
      const field = form.elements[name];
      if (field && !NOT_IN_A_DRAFT.includes(name)) field.value = value;
    }
  }

  // --- Sending

  function say(what) {
    state.textContent = STATES[what];
    if (what === "ended") sessionEnded();
  }

  function complain(message, positions) {
    fault.textContent = message;
    fault.hidden = false;
    for (const [place, output] of outputs.entries()) {
      output.querySelector("fieldset").classList.toggle("missing", positions.includes(place));
    }
    if (positions.length) takeInHand(outputs[positions[0]]);
  }

  async function leave({ next, screen: following, assets }) {
    if (following ? show({ next, screen: following, assets }) : await goTo(next, say)) begin();
  }

  async function answer(address) {
    if (sent) return;
    sent = true;
    form.elements.started_at.value = openedAt;
    form.elements.active_ms.value = activeMilliseconds();
    keep(address, [...new FormData(form).entries()]);
    const reply = await sendAll(work.dataset.campaign, say);
    if (reply?.ok) {
      localStorage.removeItem(draftName);
      return leave(reply);
    }
    sent = false;
    if (!reply) return say("reload");
    state.textContent = "";
    complain(reply.fault, reply.positions);
  }

  /** What was given before this page was loaded, and had not arrived. */
  async function sendEarlier() {
    const isHere = pending().some(({ address }) => address.startsWith(work.dataset.campaign));
    const reply = await sendAll(work.dataset.campaign, say);
    if (sent) return;
    if (isHere && reply?.ok) leave({ next: location.pathname });
    else state.textContent = "";
  }

  form.addEventListener("input", () => {
    for (const fieldset of form.querySelectorAll(".missing")) {
      fieldset.classList.toggle("missing", isIncomplete(fieldset));
    }
    if (!form.querySelector(".missing")) fault.hidden = true;
  });

  // The second half of a double click, or a key held down, would meet the next screen.
  form.querySelector("[data-submit]").addEventListener("click", (event) => {
    if (event.detail > 1) event.preventDefault();
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.hasAttribute("data-skip-button")) {
      if (form.elements.note.value.trim()) return answer(screen.dataset.skip);
      complain("Say in a few words why you skip it.", []);
      return form.elements.note.focus();
    }
    const missing = outputs.flatMap((output, place) => (isIncomplete(output) ? [place] : []));
    if (!missing.length) return practising ? form.submit() : answer(form.getAttribute("action"));
    const numbers = missing.map((place) => place + 1).join(", ");
    complain(`${corrections.dataset.incomplete}: correction ${numbers}.`, missing);
  });

  // --- Coming back in place

  const comeBack = document.querySelector("[data-come-back-form]");

  function sessionEnded() {
    comeBack.hidden = false;
  }

  const onComeBack = async (event) => {
    event.preventDefault();
    const response = await post(work.dataset.comeBack, [...new FormData(comeBack).entries()]);
    if (response?.ok) {
      comeBack.hidden = true;
      state.textContent = "Welcome back";
      tryNow();
    } else {
      comeBack.querySelector("label").textContent = "Nobody here has this link or code. Try again:";
      comeBack.elements.code.focus();
    }
  };
  comeBack?.addEventListener("submit", onComeBack, { signal });

  // --- Keys

  const typesText = (field) =>
    field.matches("textarea, input:not([type=radio], [type=checkbox], [type=range], [type=number])");
  /** What a number box or a slider does with the key itself. */
  const usesItself = (field, key) =>
    field.matches("[type=number], [type=range]") &&
    (key.startsWith("Arrow") || (field.type === "number" && /^[0-9]$/.test(key)));

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return closePanels();
    if (typesText(event.target) || usesItself(event.target, event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const actions = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      n: () => move(1),
      p: () => move(-1),
      Enter: () => event.repeat || form.requestSubmit(),
      "?": () => open("keys"),
      g: () => open("guidelines"),
      e: () => marks && showMarks(!work.classList.contains("marked")),
    };
    if (key === "Enter" && event.target.matches("button, a, summary")) return;
    if (press(event, key) || !actions[key]) return;
    event.preventDefault();
    actions[key]();
  };
  document.addEventListener("keydown", onKey, { signal });

  for (const button of document.querySelectorAll("[data-open]")) {
    button.hidden = false;
    button.addEventListener("click", () => open(button.dataset.open));
  }
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", closePanels, { signal });
  }
  if (marks) {
    marks.hidden = false;
    marks.addEventListener("click", () => showMarks(!work.classList.contains("marked")));
    showMarks(localStorage.getItem(MARKS_NAME) !== "off");
  }
  if (!practising) {
    form.addEventListener("input", saveDraft);
    restoreDraft();
  }
  document.querySelectorAll("[data-slider-of]").forEach(connect);
  closePanels();
  takeInHand(inHand());
  screen.dataset.ready = "";
  if (!practising && pending().length) sendEarlier();
}

begin();
