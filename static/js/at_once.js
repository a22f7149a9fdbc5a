// A choice is the whole answer: a key, click or tap on it sends it. The arrow keys only move between the choices.

let isMoving = false;

addEventListener("keydown", ({ key }) => (isMoving = key.startsWith("Arrow")), true);
for (const event of ["keyup", "pointerdown"]) addEventListener(event, () => (isMoving = false), true);

document.addEventListener("click", (event) => {
  const isChoice = event.target.matches("[data-answer] [data-keys] input");
  // The second half of a double click would answer the next screen.
  if (event.detail > 1 && event.target.closest("[data-answer] [data-keys]")) event.preventDefault();
  else if (isChoice && !isMoving) event.target.form.requestSubmit();
});
