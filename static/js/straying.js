// Keys that were pressed for one page and met the next.

const NAME = "assay-strayed";
const QUIET_MS = 700;

/** Whether a key belongs to those that were pressed while another screen was on its way. */
export function isStraying() {
  const since = Date.now() - Number(sessionStorage.getItem(NAME));
  return since >= 0 && since < QUIET_MS;
}

/** Remember that a key was pressed for the page before. */
export function noteStray() {
  sessionStorage.setItem(NAME, Date.now());
}
