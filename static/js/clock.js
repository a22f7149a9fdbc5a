// How long a screen was really looked at: visible, and the window in front.

let active = 0;
let since = null;

/** When the screen was opened. */
export let openedAt;

function look() {
  const now = performance.now();
  if (since !== null) active += now - since;
  since = document.visibilityState === "visible" && document.hasFocus() ? now : null;
}

for (const event of ["focus", "blur", "pageshow", "pagehide"]) addEventListener(event, look);
document.addEventListener("visibilitychange", look);

/** Begin anew, with another screen. */
export function restart() {
  look();
  active = 0;
  openedAt = new Date().toISOString();
}

export function activeMilliseconds() {
  look();
  return Math.round(active);
}
