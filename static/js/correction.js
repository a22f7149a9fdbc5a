// Writing a correction. Below each text stand its edits, with a button that takes each back; every step can be undone.
// The verdict follows the text as far as it can. Without scripts it is a form with its texts.

import { editsOf, oneLine, shareChanged, tokenisedOtherwise } from "./edits.js";
import { nameOf } from "./keys.js";

const MOST_CHANGED = 0.6;
const PAUSE_MS = 1000;
const WITHOUT_TEXT = ["fragment", "not-annotatable"];

document.addEventListener("assay-screen", () => {
  const place = document.querySelector("form[data-answer] [data-correcting]");
  if (place) takeUp(place);
});

function takeUp(place) {
  const source = oneLine(document.querySelector("[data-screen] .source").textContent);
  const boxes = [...place.querySelectorAll("textarea")];
  const verdicts = Object.fromEntries([...place.querySelectorAll("[name=verdict]")].map((radio) => [radio.value, radio]));
  const button = (name) => place.querySelector(`[data-${name}]`);
  const add = button("add");
  let past = [];
  let future = [];
  let present = texts();
  let lastTyped = { kind: "", at: 0 };

  function texts() {
    return boxes.map((box) => box.value);
  }

  // --- What is shown of the texts

  function showChanges(box) {
    const shown = box.closest("fieldset").querySelector("[data-changed]");
    const [line, list] = shown.children;
    const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    // A further version that nobody has begun changes nothing.
    const edits = box.value || box === boxes[0] ? editsOf(source, box.value) : [];
    shown.hidden = !edits.length;
    line.replaceChildren(...lineOf(box.value, edits));
    list.replaceChildren(...edits.map((edit) => chipOf(box, edit)));
    list.dir = line.matches(":dir(rtl)") ? "rtl" : "ltr";
    if (focused < 0) return;
    const chips = list.querySelectorAll("button");
    (chips[Math.min(focused, chips.length - 1)] ?? box).focus();
  }

  /** The text with what was deleted and inserted. */
  function lineOf(text, edits) {
    const nodes = [];
    let end = 0;
    for (const edit of edits) {
      const isGone = edit.start === edit.end;
      const isLast = edit.start === text.length;
      nodes.push(text.slice(end, edit.start), isGone && isLast ? " " : "", ...marks(edit), isGone && !isLast ? " " : "");
      end = edit.end;
    }
    return [...nodes, text.slice(end)];
  }

  function marks({ before, after }) {
    const made = [];
    for (const [name, text] of [["del", before], ["ins", after]]) {
      if (!text) continue;
      if (made.length) made.push(" ");
      made.push(Object.assign(document.createElement(name), { textContent: text }));
    }
    return made;
  }

  function chipOf(box, edit) {
    const chip = document.createElement("li");
    const words = document.createElement("bdi");
    words.append(...marks(edit));
    const undoing = document.createElement("button");
    undoing.type = "button";
    undoing.className = "quiet";
    undoing.textContent = place.dataset.undoThis;
    undoing.addEventListener("click", () => write(box, edit.undone));
    chip.append(words, undoing);
    return chip;
  }

  function showWarnings(verdict) {
    const written = boxes.map((box) => oneLine(box.value)).filter((text) => text && text !== source);
    const isStored = !WITHOUT_TEXT.includes(verdict);
    const holds = {
      "much-changed":
        place.dataset.correcting === "minimal" && written.some((text) => shareChanged(source, text) > MOST_CHANGED),
      "double-spaces": !source.includes("  ") && written.some((text) => text.includes("  ")),
      tokenisation: written.some((text) => tokenisedOtherwise(source, text)),
    };
    for (const line of place.querySelectorAll("[data-warning]")) {
      const name = line.dataset.warning;
      line.hidden = name === "not-stored" ? isStored || !written.length : !isStored || !holds[name];
    }
  }

  /** What the text and the verdict mean for each other; who types does not leave the sentence as it is. */
  function settle(isTyped) {
    const isChanged = boxes.map((box) => oneLine(box.value)).some((text, number) => text !== source && (text || !number));
    const none = verdicts["no-correction-needed"];
    const { corrected } = verdicts;
    const chosen = Object.values(verdicts).find((radio) => radio.checked);
    corrected.disabled = !isChanged;
    none.disabled = isChanged;
    if (isChanged && (!chosen || chosen === none || (isTyped && WITHOUT_TEXT.includes(chosen.value)))) corrected.checked = true;
    if (!isChanged) corrected.checked = false;
    const verdict = Object.values(verdicts).find((radio) => radio.checked)?.value;
    boxes[0].required = !WITHOUT_TEXT.includes(verdict);
    showWarnings(verdict);
  }

  function showAll(isTyped = false) {
    boxes.forEach(showChanges);
    settle(isTyped);
    // Not `disabled`: a button that is used up would lose the focus.
    button("undo").setAttribute("aria-disabled", String(!past.length));
    button("redo").setAttribute("aria-disabled", String(!future.length));
    button("reset").setAttribute("aria-disabled", String(texts().join("") === source));
    if (add) add.hidden = boxes.every((box) => !box.closest("fieldset").hidden);
  }

  // --- Changing the texts

  /** Have these texts, and have the draft saved as if they had been typed. */
  function have(values) {
    boxes.forEach((box, number) => (box.value = values[number]));
    showVersions();
    boxes[0].dispatchEvent(new Event("input", { bubbles: true }));
  }

  function write(box, text) {
    have(boxes.map((other) => (other === box ? text : other.value)));
  }

  function step(from, to) {
    if (!from.length) return;
    to.push(present);
    present = from.pop();
    have(present);
    lastTyped = { kind: "", at: 0 };
  }

  const undo = () => step(past, future);
  const redo = () => step(future, past);

  /** Keep what stood here before; letters typed without a pause are one step. */
  function note(event) {
    const now = texts();
    if (now.join("\n") === present.join("\n")) return;
    const typed = { kind: event.inputType ?? "", at: Date.now() };
    const goesOn = typed.kind === lastTyped.kind && typed.kind.match(/^(insert|delete)(Text|Composition|Content)/);
    if (!goesOn || event.data === " " || typed.at - lastTyped.at > PAUSE_MS) past.push(present);
    lastTyped = typed;
    future = [];
    present = now;
  }

  /** Pasted lines become one, the caret staying where it is. */
  function joinLines(box) {
    if (!/[\t\n\r]/.test(box.value)) return;
    const caret = box.value.slice(0, box.selectionStart).replace(/[\t\n\r]+/g, " ").length;
    box.value = box.value.replace(/[\t\n\r]+/g, " ");
    box.setSelectionRange(caret, caret);
  }

  /** A version after the first is there once it is wanted or written. */
  function showVersions() {
    boxes.slice(1).forEach((box) => (box.closest("fieldset").hidden &&= !box.value));
  }

  place.addEventListener("input", (event) => {
    // An input method is still choosing what it writes.
    if (event.isComposing) return;
    if (event.target.matches("textarea")) {
      joinLines(event.target);
      note(event);
    }
    showAll(event.target.matches("textarea"));
  });
  place.addEventListener("compositionend", ({ target }) => {
    target.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertCompositionText" }));
  });
  place.addEventListener("beforeinput", (event) => {
    const does = { historyUndo: undo, historyRedo: redo, insertLineBreak: () => {}, insertParagraph: () => {} }[event.inputType];
    if (!does || event.isComposing) return;
    event.preventDefault();
    does();
  });
  place.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const does = { z: event.shiftKey ? redo : undo, y: redo }[nameOf(event)];
    if (!does) return;
    event.preventDefault();
    does();
  });
  button("undo").addEventListener("click", undo);
  button("redo").addEventListener("click", redo);
  button("reset").addEventListener("click", () => have(boxes.map((_, number) => (number ? "" : source))));
  add?.addEventListener("click", () => {
    const box = boxes.find((each) => each.closest("fieldset").hidden);
    box.closest("fieldset").hidden = false;
    write(box, source);
    box.focus();
  });

  boxes.slice(1).forEach((box) => (box.closest("fieldset").hidden = !box.value));
  place.querySelector("[data-writing]").hidden = false;
  showAll();
  boxes[0].focus();
  boxes[0].setSelectionRange(boxes[0].value.length, boxes[0].value.length);
}
