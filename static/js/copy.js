// Buttons that copy the text of another element: data-copy="id". Without scripts they stay hidden.

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // A page that came without HTTPS has no clipboard but by a selection.
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (!copied) throw new Error("not copied");
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const line = button.closest(".copy");
  const status = line.querySelector("[role=status]");
  button.addEventListener("click", async () => {
    try {
      await copy(document.getElementById(button.dataset.copy).textContent.trim());
      status.textContent = status.dataset.copied;
    } catch {
      status.textContent = status.dataset.refused;
    }
    button.focus();
  });
  line.hidden = false;
}
