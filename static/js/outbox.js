// Answers on their way: kept in the browser until the server has said that it has them.

const PREFIX = "assay-outbox-";
const LONGEST_PAUSE_MS = 10_000;

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
 * Send everything that is pending, again and again until it has arrived.
 * `report` is told the state: "sending", "waiting", "ended" (the session), "reload" (cookies gone),
 * "overtaken" (an answer that has no form on this page, unlike that for the address `own`: its item had another).
 * Resolves to the server's last answer to what is for the `campaign` (`next`: an address; `screen`: what is there now,
 * if it came along), or to its refusal, whichever comes first;
 * null if it took none of it. Answers of other people, and those for a campaign that this person has left, are kept
 * and delay nothing.
 */
export async function sendAll(campaign, report, own) {
  const notNow = new Set();
  let answer = null;
  let isRefused = false;
  for (let pause = 1000; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const first = pending().find(({ name }) => !notNow.has(name));
    // Where nothing was left for this tab, another one has sent it.
    if (!first) return answer ?? (isRefused ? null : { ok: true, next: campaign });
    const isHere = first.address.startsWith(campaign);
    report("sending");
    const response = await post(first.address, first.fields);
    const isAnswer = response?.ok || response?.status === 422;
    // Its words may be cut off on the way, or be somebody else's, such as a hotel's login page.
    const words = isAnswer ? await response.json().catch(() => null) : null;
    if (words) {
      localStorage.removeItem(first.name);
      if (isHere && !response.ok && first.address !== own) {
        if (words.revises !== undefined) report("overtaken");
      } else if (isHere) answer = { ok: response.ok, ...words };
      if (answer?.ok === false) return answer;
      pause = 500;
    } else if (response?.status === 404 || (response?.status === 401 && !isHere)) {
      notNow.add(first.name);
      isRefused ||= isHere;
    } else {
      report({ 401: "ended", 403: "reload" }[response?.status] ?? "waiting");
      await wakeUp(pause);
    }
  }
}

/** A form sent by script; null when the network or the server is away. */
export async function post(address, fields) {
  const body = new URLSearchParams(fields.filter(([name]) => name !== "csrfmiddlewaretoken"));
  // Read anew each time: logging in again, in another tab, changes it.
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  try {
    return await fetch(address, { method: "POST", body, headers, credentials: "same-origin" });
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
