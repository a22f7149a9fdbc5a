// The pause between two batches, and the page of a program's answer.

import { goTo } from "./onwards.js";
import { isStraying, noteStray } from "./straying.js";

/** Listen until the signal; `begin` takes the next page into service. */
export function rest(pause, signal, begin) {
  const next = pause.querySelector("[data-next]");
  const state = pause.querySelector("[data-state]");
  const report = () => (state.textContent = state.dataset.loading);
  const goOn = async (event) => {
    event.preventDefault();
    if (await goTo(next.getAttribute("href"), report, undefined, pause.dataset.pause)) begin();
  };
  next.addEventListener("click", goOn, { once: true });
  next.focus();
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["Tab", "Shift"].includes(event.key)) return;
    // The keys of the last answer end no pause.
    if (isStraying()) {
      event.preventDefault();
      noteStray();
    } else if (event.key === "Enter" && !event.target.matches("a, button")) next.click();
    else if (event.key === "Escape") pause.querySelector("[data-stop]")?.click();
    else if (event.key.toLowerCase() === "u") pause.querySelector("[data-last]")?.click();
  };
  document.addEventListener("keydown", onKey, { signal });
}
