// Essays: keys go from change to change, in the correction and in the source beside it, and read on in both.
// Places in the source count characters that are no blanks; annotate/judging/essay_lines.py writes them.

const SHARE_OF_A_PAGE = 0.85;

document.addEventListener("assay-screen", () => {
  const screen = document.querySelector("[data-essay]");
  if (screen) connect(screen);
});

function connect(screen) {
  const source = screen.querySelector(".source");
  const bar = screen.querySelector("[data-changes]");
  const count = screen.querySelector("[data-change]");
  const marks = screen.querySelector("[data-marks]");
  const said = document.querySelector("[data-words]").dataset.done;
  const lines = linesOf(source);
  const texts = [...screen.querySelectorAll("[data-output]")].map((output) => ({
    output,
    pane: output.querySelector(".essay"),
    changes: changesOf(output),
    at: -1,
  }));
  let inHand = texts[0];
  let lit = [];
  let marked = [];

  function showCount() {
    const { changes, at } = inHand;
    count.textContent = said.replace("{done}", at + 1).replace("{all}", changes.length);
  }

  function go(to) {
    const change = inHand.changes[to];
    if (!change) return;
    if (marks.ariaPressed !== "true") marks.click();
    for (const element of lit) delete element.dataset.here;
    for (const line of marked) line.element.textContent = line.text;
    inHand.at = to;
    lit = change;
    for (const element of lit) element.dataset.here = "";
    marked = mark(lines, ...change[0].dataset.at.split("-").map(Number));
    showCount();
    scroll(source, source.querySelector("mark"));
    if (isPane(inHand.pane)) {
      inHand.output.scrollIntoView({ block: "nearest" });
      scroll(inHand.pane, change[0]);
    } else change[0].scrollIntoView({ block: "center" });
  }

  function take(text) {
    if (!text || text === inHand) return;
    inHand = text;
    if (bar) showCount();
  }

  screen.addEventListener("focusin", ({ target }) => take(texts.find(({ output }) => output.contains(target))));
  screen.addEventListener("keydown", (event) => {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    if (!step || !inHand || !isPane(inHand.pane) || event.target.matches("[type=number], [type=range], textarea")) return;
    event.preventDefault();
    for (const pane of [source, inHand.pane]) pane.scrollTop += step * SHARE_OF_A_PAGE * pane.clientHeight;
  });
  if (!bar || !texts.some(({ changes }) => changes.length)) return;
  bar.hidden = false;
  bar.querySelector('[data-key="j"]').addEventListener("click", () => go(inHand.at + 1));
  bar.querySelector('[data-key="k"]').addEventListener("click", () => go(inHand.at - 1));
  for (const text of texts) {
    text.pane.addEventListener("click", ({ target }) => {
      const at = text.changes.findIndex((change) => change.some((element) => element.contains(target)));
      if (at < 0) return;
      take(text);
      go(at);
    });
  }
  showCount();
}

/** The elements of each change. Only the first has a place. */
function changesOf(output) {
  const changes = [];
  for (const element of output.querySelectorAll("[data-at]")) {
    if (element.dataset.at) changes.push([]);
    changes.at(-1).push(element);
  }
  return changes;
}

/** The lines of the source, with the places of their characters that are no blanks, and how many are before. */
function linesOf(source) {
  let before = 0;
  return [...source.querySelectorAll("p")].map((element) => {
    const text = element.textContent;
    const characters = [...text.matchAll(/\S/gu)];
    const line = { element, text, characters, before };
    before += characters.length;
    return line;
  });
}

/** Mark what is between two places, or the gap where both are one; returns the lines in which it is. */
function mark(lines, start, end) {
  const within = ({ characters, before }) => {
    const after = before + characters.length;
    return start === end ? before <= start && start <= after : before < end && start < after;
  };
  const found = lines.filter(within).slice(0, start === end ? 1 : undefined);
  for (const { element, text, characters, before } of found) {
    const first = characters[Math.max(start - before, 0)]?.index ?? text.length;
    const last = characters[Math.min(end - before, characters.length) - 1];
    const until = start === end ? first : last.index + last[0].length;
    const marked = document.createElement("mark");
    marked.textContent = text.slice(first, until);
    element.replaceChildren(text.slice(0, first), marked, text.slice(until));
  }
  return found;
}

const isPane = (element) => element.scrollHeight > element.clientHeight && getComputedStyle(element).overflowY === "auto";

/** Scroll what is within an element to its middle, and nothing else. */
function scroll(pane, element) {
  if (!element) return;
  pane.scrollTop += element.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 2;
}
