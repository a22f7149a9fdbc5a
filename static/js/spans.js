// Marks in a text, as JSON in its field, by code points of the stored text.

import { nameOf } from "./keys.js";

document.addEventListener("assay-screen", () => {
  document.querySelectorAll("[data-spans]").forEach(connect);
  document.querySelector(".marking")?.focus({ preventScroll: true });
});

function connect(part) {
  const find = (selector) => part.querySelector(selector);
  const [shown, field, tools, type, says, missing] =
    [".marking", "input[hidden]", ".tools", "[data-type]", "[data-says]", "[data-missing]"].map(find);
  const score = document.getElementById(field.name.replace("spans", "score"));
  const text = [...shown.textContent];
  const hidden = [];
  let length = 0;
  for (const node of shown.childNodes) {
    if (node.nodeName === "I") hidden.push({ start: length, end: length + 1 });
    length += [...node.textContent].length;
  }
  let state = { spans: [], missing: [], ...JSON.parse(field.value || "{}") };
  const { suggested } = field.dataset;
  let isSuggested = () => false;
  let by = "word";
  let caret = 0;
  let anchor = null;
  const past = [];

  function split(granularity) {
    let end = 0;
    return [...new Intl.Segmenter([], { granularity }).segment(text.join(""))]
      .map(({ segment }) => ({ start: end, end: (end += [...segment].length), segment }))
      .filter((unit) => !isHidden(unit) && (granularity !== "word" || unit.segment.trim()));
  }

  const said = tools.dataset;
  const say = (...what) => (says.textContent = what.filter(Boolean).join(" "));
  const slice = (start, end) => text.slice(start, end).join("");
  const words = (place) => said.quoted.replace("{words}", () => slice(place.start, place.end));
  const isHidden = ({ start }) => hidden.some((blank) => blank.start === start);

  const units = { word: split("word"), grapheme: split("grapheme") };

  function chosen() {
    const at = [caret, anchor ?? caret];
    return { start: units[by][Math.min(...at)]?.start ?? 0, end: units[by][Math.max(...at)]?.end ?? 0 };
  }
  const overlapping = ({ start, end }) => state.spans.filter((span) => span.start < end && start < span.end);
  const current = () => overlapping(chosen())[0];

  function become(next, ...said) {
    state = next;
    anchor = null;
    state.spans.sort((one, other) => one.start - other.start);
    field.value = state.spans.length + state.missing.length ? JSON.stringify(state) : "";
    say(...said);
    draw();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function change(next, ...said) {
    past.push(state);
    become({ ...state, ...next }, ...said);
  }

  function put(span, before) {
    if (overlapping(span).some((each) => each !== before)) {
      anchor = null;
      draw();
      return say(said.overlaps);
    }
    const rest = state.spans.filter((each) => each !== before);
    change({ spans: [...rest, span] }, words(span), said[span.severity], span.type);
  }

  function mark(severity) {
    const place = chosen();
    const there = anchor === null && current();
    if (there) put({ ...there, severity }, there);
    else if (place.end) put({ ...place, severity }, null);
  }

  function remove() {
    const there = current();
    if (!there) return;
    const gone = said.unmarked.replace("{words}", () => slice(there.start, there.end));
    change({ spans: state.spans.filter((each) => each !== there) }, gone);
  }

  function turn() {
    const there = anchor === null && current();
    if (there?.severity === "major") remove();
    else mark(there ? "major" : "minor");
  }

  function resize(isLonger) {
    const there = current() ?? {};
    const ends = units[by].map(({ end }) => end).filter((end) => end > there.start);
    const end = isLonger ? ends.find((each) => each > there.end) : ends.findLast((each) => each < there.end);
    if (!end) return say(said.fixed);
    caret = units[by].findIndex((unit) => unit.end > there.start);
    put({ ...there, end }, there);
  }

  const actions = {
    minor: () => mark("minor"),
    major: () => mark("major"),
    remove,
    shorter: () => resize(false),
    longer: () => resize(true),
    missing: () => {
      const severity = { none: "minor", minor: "major" }[state.missing[0]?.severity ?? "none"];
      const now = said.missingIs.replace("{severity}", said[severity ?? "none"]);
      change({ missing: severity ? [{ severity }] : [] }, now);
    },
    characters: () => {
      const { start } = chosen();
      by = by === "word" ? "grapheme" : "word";
      caret = Math.max(units[by].findLastIndex((unit) => unit.start <= start), 0);
      anchor = null;
      draw();
    },
    undo: () => (past.length ? become(past.pop(), said.undone) : say(said.nothing)),
  };

  function draw() {
    const isIn = document.activeElement === shown;
    const here = chosen();
    const edges = [...hidden, ...units[by], ...state.spans].flatMap(({ start, end }) => [start, end]);
    const places = [...new Set([0, text.length, ...edges])].sort((one, other) => one - other);
    shown.replaceChildren();
    let open = {};
    places.slice(0, -1).forEach((from, number) => {
      const piece = document.createElement("span");
      piece.hidden = isHidden({ start: from });
      piece.textContent = slice(from, places[number + 1]);
      piece.dataset.from = from;
      piece.classList.toggle("chosen", isIn && here.start <= from && from < here.end);
      const span = state.spans.find((each) => each.start <= from && from < each.end);
      if (span && span !== open.span) {
        open = { span, node: document.createElement("mark") };
        open.node.className = span.severity;
        open.node.classList.toggle("suggested", isSuggested(span));
        shown.append(open.node);
      }
      (span ? open.node : shown).append(piece);
    });
    if (type) type.value = current()?.type ?? "";
    if (missing) missing.textContent = said[state.missing[0]?.severity ?? "none"];
    missing?.classList.toggle("suggested", isSuggested(state.missing[0]));
    find("[data-do=characters]").ariaPressed = by !== "word";
    check();
  }

  function check() {
    const isDue = score.value && score.value - field.dataset.below < 0 && !field.value;
    field.setCustomValidity(isDue ? "needs a mark" : "");
  }

  let from = -1;

  function unitAt({ clientX, clientY }) {
    const at = document.elementFromPoint(clientX, clientY)?.dataset.from ?? -1;
    return units[by].findIndex((unit) => unit.start <= at && at < unit.end);
  }

  shown.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    from = unitAt(event);
    if (from < 0) return;
    shown.setPointerCapture(event.pointerId);
    caret = from;
    anchor = null;
    shown.focus({ preventScroll: true });
    draw();
  });
  shown.addEventListener("pointermove", (event) => {
    const unit = from < 0 ? -1 : unitAt(event);
    if (unit < 0 || unit === caret) return;
    caret = unit;
    anchor = unit === from ? null : from;
    draw();
  });
  for (const name of ["pointerup", "pointercancel"]) {
    shown.addEventListener(name, () => {
      if (from >= 0 && name.endsWith("up")) turn();
      from = -1;
    });
  }

  function go(step, { shiftKey }) {
    anchor = shiftKey ? (anchor ?? caret) : null;
    caret = Math.max(0, Math.min(units[by].length - 1, caret + step));
    draw();
    say(words(chosen()), said[current()?.severity], isSuggested(current()) && said.suggested);
  }

  const forward = getComputedStyle(shown).direction === "rtl" ? -1 : 1;
  const keys = {
    ArrowRight: (event) => go(forward, event),
    ArrowLeft: (event) => go(-forward, event),
    Home: (event) => go(-text.length, event),
    End: (event) => go(text.length, event),
    " ": turn,
    Delete: remove,
  };

  shown.addEventListener("keydown", (event) => {
    const key = nameOf(event);
    if (event.ctrlKey || event.metaKey) {
      if (key !== "z") return;
      event.preventDefault(); // The browser would undo the score.
      actions.undo();
    } else if (/^[0-9]$/.test(key)) {
      score.focus();
      score.select();
      event.stopPropagation();
    } else if (keys[key]) {
      event.preventDefault();
      event.stopPropagation();
      keys[key](event);
    }
  });

  for (const name of ["focus", "blur"]) shown.addEventListener(name, draw);
  type?.addEventListener("change", () => {
    const there = current();
    if (there) put({ ...there, type: type.value || undefined }, there);
  });
  type?.addEventListener("keydown", (event) => /^.$|^Arrow/.test(event.key) && event.stopPropagation());
  score.addEventListener("input", check);
  tools.addEventListener("click", ({ target }) => {
    const action = actions[target.closest("[data-do]")?.dataset.do];
    if (!action) return;
    shown.focus({ preventScroll: true });
    action();
  });
  tools.hidden = false;
  draw();
  if (suggested)
    import("./suggested.js").then(({ among }) => {
      isSuggested = among(suggested);
      draw();
    });
}
