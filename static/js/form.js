// Fields that mean something only after another answer are hidden until it is given; without scripts all are there.
//   data-only-if="name other=value"   shown if `name` is ticked or neither empty nor 0, or `other` has the value
//   data-lists="name"                 hidden together with that field

const fields = [...document.querySelectorAll("[data-only-if]")];

function holds(form, condition) {
  const [name, value] = condition.split("=");
  const control = form.elements[name];
  const given = control.type === "checkbox" ? (control.checked ? "on" : "") : control.value || (control.dataset.kept ?? "");
  return value === undefined ? given !== "" && Number(given) !== 0 : given === value;
}

function show() {
  for (const field of fields) {
    const place = field.closest(".field");
    const conditions = field.dataset.onlyIf.split(" ");
    // What is wrong with a field must be seen.
    place.hidden = !place.classList.contains("wrong") && !conditions.some((one) => holds(field.form, one));
    for (const label of document.querySelectorAll(`[data-lists="${field.name}"]`)) label.hidden = place.hidden;
  }
}

addEventListener("input", show);
addEventListener("pageshow", () => {
  show();
  // After the place that the address names has had the focus.
  document.querySelector(".wrong :is(input, select, textarea)")?.focus();
});
show();
