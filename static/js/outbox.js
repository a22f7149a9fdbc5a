// Answers on their way: kept in the browser until the server has said that it has them.

export const PREFIX = "assay-outbox-";
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const SLOW_MS = 2_000;
const MINUTE_MS = 60_000;

export const PATIENCE_MS = 10_000;

/** What was sent and not yet confirmed, oldest first. */
export function pending() {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => ({ name, ...JSON.parse(localStorage.getItem(name)) }))
    .sort((one, other) => one.since - other.since);
}

/** Keep an answer; it has an address and fields, among them the key by which the server knows it again. */
export function keep(address, fields) {
  const key = fields.find(([name]) => name === "key")[1];
  localStorage.setItem(PREFIX + key, JSON.stringify({ address, fields, since: Date.now() }));
}

/**
 * Send everything that is pending until it has arrived. `report` is told the state: "sending", "slow", "waiting" (for
 * the network), "away" (the server), "ended" (the session), "reload" (cookies gone), "overtaken" (an answer without a
 * form on this page, unlike that for the address `own`: its item had another).
 * Resolves to the server's last answer for the `campaign` (`next`: an address; `screen`: what is there now), or to its
 * first refusal; null if it took nothing. Answers of other people, and for campaigns that this person has left, are
 * kept and delay nothing.
 */
export async function sendAll(campaign, report, own) {
  const notNow = new Set();
  let answer = null;
  let isRefused = false;
  for (let pause = FIRST_PAUSE_MS, patience = PATIENCE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const first = pending().find(({ name }) => !notNow.has(name));
    // Where nothing was left for this tab, another one has sent it.
    if (!first) return answer ?? (isRefused ? null : { ok: true, next: campaign });
    const isHere = first.address.startsWith(campaign);
    report("sending");
    const slow = setTimeout(() => report("slow"), SLOW_MS);
    const response = await post(first.address, first.fields, patience);
    const isAnswer = response?.ok || response?.status === 422;
    // Its words may be cut off on the way, or be somebody else's, such as a hotel's login page.
    const words = isAnswer ? await response.json().catch(() => null) : null;
    clearTimeout(slow);
    if (words) {
      localStorage.removeItem(first.name);
      if (isHere && !response.ok && first.address !== own) {
        if (words.revises !== undefined) report("overtaken");
      } else if (isHere) answer = { ok: response.ok, ...words };
      if (answer?.ok === false) return answer;
      pause = FIRST_PAUSE_MS / 2;
    } else if (response?.status === 404 || (response?.status === 401 && !isHere)) {
      notNow.add(first.name);
      isRefused ||= isHere;
    } else {
      report({ 401: "ended", 403: "reload" }[response?.status] ?? absence(response));
      if (!response) patience = longer(patience);
      await wakeUp(pauseAfter(response, pause));
    }
  }
}

export function absence(response) {
  return response?.status >= 500 ? "away" : "waiting";
}

/** Milliseconds to the next attempt: what the server asks for, or `pause`; up to twice that, so that browsers spread. */
export function pauseAfter(response, pause) {
  const wish = 1000 * Number(response?.headers.get("Retry-After"));
  return (wish > 0 ? Math.min(wish, MINUTE_MS) : pause) * (1 + Math.random());
}

export const longer = (patience) => Math.min(2 * patience, MINUTE_MS);

/** Ends a request that has no answer by then. */
export const within = (patience = PATIENCE_MS) => AbortSignal.timeout?.(patience);

/** A form sent by script; null without an answer within `patience`. */
export async function post(address, fields, patience) {
  const body = new URLSearchParams(fields.filter(([name]) => name !== "csrfmiddlewaretoken"));
  // Read anew each time: logging in again, in another tab, changes it.
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  try {
    return await fetch(address, { method: "POST", body, headers, credentials: "same-origin", signal: within(patience) });
  } catch {
    return null;
  }
}

/** After the pause, or as soon as the network is back or somebody calls `tryNow`. */
export function wakeUp(pause) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      removeEventListener("assay-try-now", done);
      resolve();
    };
    const timer = setTimeout(done, pause);
    addEventListener("online", done);
    addEventListener("assay-try-now", done);
  });
}

export function tryNow() {
  dispatchEvent(new Event("assay-try-now"));
}
