// Edits judged one by one: the sentence reads as the verdicts so far make it, and one edit is asked at a time.
// Without this script, all edits and their questions stand below each other.

document.addEventListener("assay-screen", () => {
  const edited = document.querySelector("[data-edited]");
  const questions = [...document.querySelectorAll("[data-question]")];
  if (!edited || !questions.length) return;
  const list = questions[0].parentElement;
  const undo = document.querySelector("[data-undo-edit]");
  const judged = [];
  const checked = (question) => question.querySelector(":checked");
  const partsOf = (question) => edited.querySelectorAll(`[data-edit="${question.dataset.question}"]`);

  /** Show the sentence as it would be, and the question at hand alone. */
  function show(now) {
    for (const question of questions) {
      question.toggleAttribute("data-now", question === now);
      for (const part of partsOf(question)) {
        part.dataset.verdict = checked(question)?.value ?? "";
        part.toggleAttribute("data-now", question === now);
      }
    }
    undo.parentElement.hidden = !judged.length;
    partsOf(now)[0]?.scrollIntoView({ block: "nearest" });
  }

  function take(question) {
    (checked(question) ?? question.querySelector("input")).focus();
    // A window that is not in front is told of no focus.
    show(question);
  }

  list.classList.add("one-by-one");
  edited.classList.add("as-judged");
  for (const question of questions) {
    let isPointed = false;
    question.addEventListener("focusin", () => show(question));
    question.addEventListener("pointerdown", () => (isPointed = true));
    question.addEventListener("keydown", () => (isPointed = false));
    question.addEventListener("change", () => {
      judged.push(question);
      show(question);
      // Keys go on by themselves, and arrows choose without going on.
      if (isPointed) take(questions[questions.indexOf(question) + 1] ?? question);
      isPointed = false;
    });
  }
  edited.addEventListener("click", ({ target }) => {
    const part = target.closest("[data-edit]");
    if (part) take(questions.find((question) => question.dataset.question === part.dataset.edit));
  });
  undo.addEventListener("click", () => {
    const last = judged.pop();
    if (!last) return;
    checked(last).checked = false;
    while (judged.includes(last)) judged.splice(judged.indexOf(last), 1);
    take(last);
    last.dispatchEvent(new Event("input", { bubbles: true }));
  });
  if (edited.scrollHeight > edited.clientHeight) edited.tabIndex = 0;
  show(questions[0]);
});
