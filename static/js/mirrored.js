// Pages from right to left: the arrow keys go to the choice on their side. Browsers take the left arrow for the choice before.

document.addEventListener("keydown", (event) => {
  const { target: radio, key } = event;
  const step = { ArrowLeft: 1, ArrowRight: -1 }[key];
  if (event.defaultPrevented || !step || radio.type !== "radio") return;
  event.preventDefault();
  const choices = [...radio.form.querySelectorAll(`[name="${radio.name}"]:enabled`)];
  const next = choices.at((choices.indexOf(radio) + step) % choices.length);
  next.focus();
  next.click();
});
