// Coming back in place when the session has ended.

import { post, tryNow } from "./outbox.js";

/** Show the form, which takes a link or resume code to the address. */
export function offerReturn(address) {
  const form = document.querySelector("[data-come-back-form]");
  form.hidden = false;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const response = await post(address, [...new FormData(form).entries()]);
    if (response?.ok) {
      form.hidden = true;
      document.querySelector("[data-state]").textContent = form.dataset.welcome;
      return tryNow();
    }
    const isAway = !response || response.status >= 500;
    form.querySelector("label").textContent = isAway ? form.dataset.away : form.dataset.unknown;
    form.elements.code.focus();
  };
}
