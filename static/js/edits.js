// What a text changes in its source: the fewest words inserted, deleted and replaced.
// `annotate/design/protocols/correction_warnings.py` computes the same warnings of a stored answer.

const UNSPACED = "\\u0e00-\\u0eff\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff";
const WORD = new RegExp(`[${UNSPACED}]|[^\\s${UNSPACED}]+`, "gu");
const MARKS = ".,;:!?،؛؟।";

/** The text as it is stored. */
export function oneLine(text) {
  return text.replace(/[\t\n\r\v\f\u0085\u2028\u2029]+/g, " ").trim();
}

/** The words of a text with their places in it; in scripts without blanks between words, its characters. */
function wordsOf(text) {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, start: index, end: index + word.length }));
}

/**
 * The edits, in the order of the text: `before` and `after` are what stood and stands there, `start` and `end` the place
 * in the text, `undone` the text without this edit.
 */
export function editsOf(source, text) {
  const old = wordsOf(source);
  const now = wordsOf(text);
  return aligned(old, now).map(([from, to, first, last]) => {
    const before = from < to ? source.slice(old[from].start, old[to - 1].end) : "";
    const [start, end] = first < last ? [now[first].start, now[last - 1].end] : Array(2).fill(now[first]?.start ?? text.length);
    return { before, after: text.slice(start, end), start, end, undone: undone() };

    function undone() {
      if (before && start < end) return text.slice(0, start) + before + text.slice(end);
      if (before) {
        // The blanks that go with the words, before or after them.
        const [left, right] = [first ? now[first - 1].end : 0, now[first]?.start ?? text.length];
        const gap = (one, other) => (old[one] && old[other] ? source.slice(old[one].end, old[other].start) : "");
        const middle = (first ? gap(from - 1, from) : "") + before + (now[first] ? gap(to - 1, to) : "");
        return text.slice(0, left) + middle + text.slice(right);
      }
      return now[last] ? text.slice(0, start) + text.slice(now[last].start) : text.slice(0, first ? now[first - 1].end : 0) + text.slice(end);
    }
  });
}

/** The share of words changed, of those of the longer text. */
export function shareChanged(source, text) {
  const [old, now] = [wordsOf(source), wordsOf(text)];
  return distances(old, now)[0][0] / Math.max(old.length, now.length, 1);
}

/** Whether new words attach punctuation that the source sets apart, or the other way round. */
export function tokenisedOtherwise(source, text) {
  const before = source.split(/\s+/);
  const added = text.split(/\s+/).filter((word) => word && !before.includes(word));
  const isAlone = (word) => word !== "" && MARKS.includes(word);
  const isAttached = (word) => word.length > 1 && MARKS.includes(word.at(-1)) && !MARKS.includes(word.at(-2));
  const [alone, attached] = [before.some(isAlone), before.some(isAttached)];
  if (alone === attached) return false;
  return added.some(alone ? isAttached : isAlone);
}

/** The fewest steps from the words of one text after `i` to those of the other after `j`, as `[i][j]`. */
function distances(old, now) {
  const least = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length; i >= 0; i--) {
    for (let j = now.length; j >= 0; j--) {
      if (i === old.length || j === now.length) least[i][j] = old.length - i + now.length - j;
      else if (old[i].word === now[j].word) least[i][j] = least[i + 1][j + 1];
      else least[i][j] = 1 + Math.min(least[i + 1][j + 1], least[i + 1][j], least[i][j + 1]);
    }
  }
  return least;
}

/** Runs of changed words: from and to in the one text, first and last in the other. */
function aligned(old, now) {
  const least = distances(old, now);
  const runs = [];
  let [i, j] = [0, 0];
  let run = null;
  while (i < old.length || j < now.length) {
    if (old[i] && now[j] && old[i].word === now[j].word) {
      run = null;
      [i, j] = [i + 1, j + 1];
      continue;
    }
    if (!run) runs.push((run = [i, i, j, j]));
    const left = least[i][j] - 1;
    if (old[i] && now[j] && least[i + 1][j + 1] === left) [i, j] = [i + 1, j + 1];
    else if (old[i] && least[i + 1][j] === left) i += 1;
    else j += 1;
    [run[1], run[3]] = [i, j];
  }
  return runs;
}
