// The annotator's screen: keys, draft, sending. Without scripts the form works as a plain form.
// It knows no protocol: templates/annotate/judging/frame.html lists the attributes by which templates direct it.

import { activeMilliseconds, openedAt, restart } from "./clock.js";
import { nameOf } from "./keys.js";
import { goTo, show } from "./onwards.js";
import { keep, pending, post, sendAll } from "./outbox.js";
import { isStraying, noteStray } from "./straying.js";

const MARKS_NAME = "assay-marks";
const NOT_IN_A_DRAFT = ["csrfmiddlewaretoken", "revises", "started_at", "active_ms"];

/** Ends what listens, beyond itself, for the screen that was left. */
let leaving = new AbortController();

/** Take the screen on the page into service, or the pause, if there is one. */
function begin() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const work = document.querySelector("[data-work]");
  if (work) takeUp(work, signal);
  const pause = document.querySelector("[data-pause]");
  // Loaded when there is one, as what follows the end of a session is.
  if (pause) import("./pause.js").then(({ rest }) => rest(pause, signal, begin));
}

/** The screen, or the practice item. */
function takeUp(work, signal) {
  restart();
  const screen = document.querySelector("[data-screen]");
  const form = document.querySelector("[data-answer]");
  const state = document.querySelector("[data-state]");
  const words = document.querySelector("[data-words]").dataset;
  const fault = document.querySelector("[data-fault]");
  const cancel = document.querySelector("[data-cancel]");
  const skip = document.querySelector("[data-skip]");
  const count = document.querySelector("[data-count]");
  const corrections = document.querySelector("[data-incomplete]");
  const outputs = [...document.querySelectorAll("[data-output]")];
  const handleOf = (part) =>
    part.querySelector("[data-keys] :checked") ??
    part.querySelector("[data-handle]") ??
    part.querySelector("input:not([type=hidden]), textarea, select");
  // Corrections without controls are only read; several questions on one are parts.
  const parts = [...document.querySelectorAll("[data-output], [data-part]")].filter(
    (part) => handleOf(part) && !part.querySelector("[data-part]"),
  );
  const practising = !screen.dataset.showing;
  const draftName = `assay-draft-${screen.dataset.showing ?? location.pathname}`;

  // --- Which part is in hand, and what is entered for it

  const isIncomplete = (part) => part.querySelector(":invalid") !== null;

  function inHand() {
    const focused = parts.find((part) => part.contains(document.activeElement));
    return focused ?? parts.find(isIncomplete) ?? parts[0] ?? form;
  }

  function takeInHand(part) {
    handleOf(part)?.focus();
    part.scrollIntoView({ block: "nearest" });
  }

  /** The next part, or the one before; at either end the same again, which ends the number being typed. */
  function move(step) {
    const part = inHand();
    const shown = parts.filter((each) => !each.hidden);
    takeInHand(shown[shown.indexOf(part) + step] ?? part);
  }

  /** To the last part that is no text, where single keys work. */
  function leaveText(text) {
    const part = parts.findLast((each) => !typesText(handleOf(each)));
    if (part) takeInHand(part);
    else text.blur();
  }

  /** Whether a control takes the key: of the part in hand, or of one that is there only once. */
  function press(event, key) {
    const name = CSS.escape(key);
    const [inPart, once] = [`[data-key="${name}"], [data-keys] [value="${name}"]`, `[data-key="${name}"]:not([data-output] *)`];
    const control = inHand().querySelector(inPart) ?? form.querySelector(once);
    const part = parts.find((each) => each.contains(control)) ?? inHand();
    if (control) {
      event.preventDefault();
      // A key held down would go through all parts.
      if (event.repeat) return true;
      control.click();
      if (control.closest("[data-keys]")) takeInHand(parts[parts.indexOf(part) + 1] ?? part);
      return true;
    }
    const box = /^[0-9]$/.test(key) ? part.querySelector("[data-digits]") : null;
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

  /** Returns whether one was open. */
  function closePanels() {
    let wasOpen = false;
    for (const panel of document.querySelectorAll("[data-panel]")) {
      if (panel.contains(document.activeElement)) takeInHand(inHand());
      wasOpen ||= !panel.hidden;
      panel.hidden = true;
    }
    return wasOpen;
  }

  // --- Skipping: a key, then the number of a reason

  function openSkip() {
    if (!skip) return;
    skip.open = !skip.open;
    if (skip.open) skip.querySelector("button, textarea").focus();
    else takeInHand(inHand());
  }

  function closeSkip() {
    if (!skip?.open) return false;
    skip.open = false;
    takeInHand(inHand());
    return true;
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

  const entries = () => [...new FormData(form).entries()].filter(([name]) => name !== "key");

  /** Kept in this browser, which tells other tabs; but for practice, on the server as well. */
  function saveDraft() {
    if ("trial" in screen.dataset) return;
    localStorage.setItem(draftName, JSON.stringify(entries()));
    if (practising) return;
    clearTimeout(draftTimer);
    draftTimer = setTimeout(async () => {
      if (sent) return;
      const response = await post(screen.dataset.draft, entries());
      if (response?.ok) say("saved");
      else if (response?.status === 401) sessionEnded();
      else if (!response || response.status >= 500) say("unsaved");
    }, 400);
  }

  /** What was entered here before, unless an answer has overtaken it. */
  function restoreDraft() {
    const draft = JSON.parse(localStorage.getItem(draftName) ?? "[]");
    const entered = new Map(draft);
    if (entered.get("revises") !== form.elements.revises.value) return;
    for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = entered.has(box.name);
    for (const [name, value] of draft) {
      const field = form.elements[name];
      if (field && !NOT_IN_A_DRAFT.includes(name)) field.value = value;
    }
  }

  // --- Sending

  function say(what) {
    state.textContent = words[what];
    if (what === "ended") sessionEnded();
  }

  function sessionEnded() {
    import("./session.js").then(({ offerReturn }) => offerReturn(work.dataset.comeBack));
  }

  /** What is still to do in these parts: corrections, with their questions, and what others say themselves. */
  function stillToDo(missing) {
    const said = (some) => some.flatMap((part) => part.dataset.part ?? []);
    const numbers = outputs.flatMap((output, place) => {
      const within = missing.filter((part) => output.contains(part));
      const questions = said(within).join(", ");
      return within.length ? place + 1 + (questions && ` (${questions})`) : [];
    });
    const begins = numbers.length ? [corrections.dataset.incomplete.replace("{numbers}", () => numbers.join(", "))] : [];
    return [...begins, ...said(missing.filter((part) => !part.closest("[data-output]")))].join(" ");
  }

  function complain(message, missing) {
    fault.textContent = message;
    fault.hidden = false;
    for (const part of [...parts, ...missing]) {
      (part.querySelector("fieldset") ?? part).classList.toggle("missing", missing.includes(part));
    }
    if (missing.length) takeInHand(missing[0]);
  }

  /** `answered` is the address of this screen, if it was answered. */
  async function leave({ next, screen: following, assets }, answered) {
    if (following ? show({ next, screen: following, assets }, answered) : await goTo(next, say, answered)) begin();
  }

  /** Whether ahead.js has put another screen in place. */
  const isLeft = (detail) => !dispatchEvent(new CustomEvent("assay-leave", { cancelable: true, detail }));

  /** Send what was entered, and what the button pressed says. */
  async function answer(address, button) {
    if (sent) return;
    sent = true;
    form.elements.started_at.value = openedAt;
    form.elements.active_ms.value = activeMilliseconds();
    const pressed = button?.name ? [[button.name, button.value]] : [];
    keep(address, [...new FormData(form).entries(), ...pressed]);
    if (isLeft(address)) return localStorage.removeItem(draftName);
    const reply = await sendAll(work.dataset.campaign, say, address);
    if (reply?.ok) {
      localStorage.removeItem(draftName);
      return leave(reply, form.getAttribute("action"));
    }
    sent = false;
    if (!reply) return say("reload");
    state.textContent = "";
    if (reply.revises !== undefined) {
      form.elements.revises.value = reply.revises;
      cancel.hidden = false;
    }
    complain(reply.fault, reply.positions.map((place) => outputs[place]));
  }

  /** Leave an answer as it is, and drop what was changed. */
  async function leaveAsItIs(event) {
    event.preventDefault();
    if (sent) return;
    sent = true;
    clearTimeout(draftTimer);
    localStorage.removeItem(draftName);
    await post(screen.dataset.draft, []);
    if (!isLeft()) leave({ next: cancel.getAttribute("href") });
  }

  /** How many parts are complete. */
  function showCount() {
    if (!count || parts.length < 2) return;
    count.hidden = false;
    const done = parts.filter((part) => !isIncomplete(part)).length;
    count.textContent = words.done.replace("{done}", done).replace("{all}", parts.length);
  }

  function practise() {
    localStorage.removeItem(draftName);
    form.submit();
  }

  /** What was given before this page was loaded, and had not arrived. */
  async function sendEarlier() {
    const isHere = pending().some(({ address }) => address.startsWith(work.dataset.campaign));
    let isOvertaken = false;
    const reply = await sendAll(work.dataset.campaign, (what) => {
      isOvertaken ||= what === "overtaken";
      say(what);
    });
    if (sent) return;
    if (isOvertaken) say("overtaken");
    else if (isHere && reply?.ok) leave({ next: reply.next === work.dataset.campaign ? location.pathname : reply.next });
    else state.textContent = "";
  }

  form.addEventListener("input", () => {
    for (const part of form.querySelectorAll(".missing")) part.classList.toggle("missing", isIncomplete(part));
    if (!form.querySelector(".missing")) fault.hidden = true;
    showCount();
  });
  cancel?.addEventListener("click", leaveAsItIs);

  // The second half of a double click, or a key held down, would meet the next screen.
  form.querySelector("[data-submit]").addEventListener("click", (event) => {
    if (event.detail > 1) event.preventDefault();
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.hasAttribute("data-skip-button")) {
      const { submitter } = event;
      if (practising) {
        form.action = submitter.formAction;
        return form.submit();
      }
      if (submitter.value || form.elements.note.value.trim()) return answer(submitter.getAttribute("formaction"), submitter);
      complain(words.noReason, []);
      return form.elements.note.focus();
    }
    const missing = parts.filter(isIncomplete);
    if (!missing.length) return practising ? practise() : answer(form.getAttribute("action"));
    complain(stillToDo(missing), missing);
  });

  // --- Keys

  const typesText = (field) =>
    field.matches("textarea, input:not([type=radio], [type=checkbox], [type=range], [type=number])");
  /** What a number box or a slider does with the key itself. */
  const usesItself = (field, key) =>
    field.matches("[type=number], [type=range]") &&
    (key.startsWith("Arrow") || (field.type === "number" && /^[0-9]$/.test(key)));

  /** Whether the key is not for what it meets: a screen that is being sent, or one that came while it was typed. */
  function strays(event) {
    const isElsewhere = !form.contains(event.target) && event.target.matches("a, button, input, summary, textarea");
    if (isElsewhere || ["Tab", "Shift"].includes(event.key) || (!sent && !isStraying())) return false;
    noteStray();
    return true;
  }

  const onKey = (event) => {
    // An input method takes the keys that choose what it writes.
    if (event.isComposing) return;
    const { target } = event;
    const isText = typesText(target);
    const submits = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if ((event.ctrlKey || event.metaKey || event.altKey) && !submits) return;
    if (event.key === "Escape") {
      if (closePanels() || closeSkip()) return;
      if (isText && form.contains(target)) leaveText(target);
      else if ("revision" in screen.dataset) cancel.click();
      return;
    }
    if (strays(event)) return event.preventDefault();
    if (submits) {
      if (target.matches("a") || (isText && !form.contains(target))) return;
      event.preventDefault();
      return event.repeat || form.requestSubmit();
    }
    if (isText || usesItself(target, event.key)) return;
    const key = nameOf(event);
    const actions = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      n: () => move(1),
      p: () => move(-1),
      Enter: () => event.repeat || form.requestSubmit(),
      "?": () => open("keys"),
      g: () => open("guidelines"),
      e: () => marks && showMarks(!work.classList.contains("marked")),
      s: openSkip,
      u: () => document.querySelector("[data-last]")?.click(),
    };
    const chip = skip?.open && skip.contains(target) && skip.querySelector(`[data-chip="${CSS.escape(key)}"]`);
    if (chip) return event.repeat || chip.click();
    if (key === "Enter" && target.matches("button, a, summary")) return;
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
  if (/^(Mac|iP)/.test(navigator.platform)) import("./mac.js").then(({ nameKeys }) => nameKeys(form));
  if (marks) {
    marks.hidden = false;
    marks.addEventListener("click", () => showMarks(!work.classList.contains("marked")));
    showMarks(localStorage.getItem(MARKS_NAME) !== "off");
  }
  form.addEventListener("input", saveDraft);
  // Another tab keeps its draft of this screen under the same name, and drops it when the answer is stored.
  const onStorage = ({ key, newValue }) => {
    if (key !== draftName || sent) return;
    if (newValue !== null) return say("elsewhere");
    if (cancel) cancel.hidden = false;
    complain(practising ? words.practisedElsewhere : words.answeredElsewhere, []);
  };
  addEventListener("storage", onStorage, { signal });
  if (!practising) {
    restoreDraft();
    if (isStraying()) say("early");
  }
  // The script of a protocol takes up its part, with what the draft has put in place.
  document.dispatchEvent(new CustomEvent("assay-screen", { detail: say }));
  showCount();
  closePanels();
  const source = screen.querySelector(".source");
  if (source.scrollHeight > source.clientHeight) source.tabIndex = 0;
  document.documentElement.style.scrollPaddingBlockStart = `${source.offsetHeight}px`;
  if ("essay" in screen.dataset) handleOf(inHand())?.focus({ preventScroll: true });
  else takeInHand(inHand());
  screen.dataset.ready = "";
  if (!practising && pending().length && !("ahead" in screen.dataset)) sendEarlier();
}

if (document.dir) import("./mirrored.js");
addEventListener("assay-shown", begin);
begin();
