// On a Mac, ⌘ is the key that elsewhere is Ctrl.

export function nameKeys(form) {
  for (const key of document.querySelectorAll("[data-ctrl]")) key.textContent = "⌘";
  const submit = form.querySelector("[data-submit]");
  submit.ariaKeyShortcuts = submit.ariaKeyShortcuts.replace("Control", "Meta");
}
