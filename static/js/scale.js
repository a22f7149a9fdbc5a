// A slider beside the number box that holds its value. Both are unset until one of them is touched.

document.addEventListener("assay-screen", () => document.querySelectorAll("[data-slider-of]").forEach(connect));

/** Let the slider and its box go together, and show the slider, which without scripts would do nothing. */
function connect(slider) {
  const box = document.getElementById(slider.dataset.sliderOf);
  const before = document.getElementById(box.dataset.before);
  const set = (value) => {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const follow = () => {
    slider.classList.toggle("unset", box.value === "");
    if (box.value === "") slider.setAttribute("aria-valuetext", slider.dataset.notSet);
    else {
      slider.value = box.value;
      slider.removeAttribute("aria-valuetext");
    }
  };
  const take = () => set(slider.value);
  slider.addEventListener("input", take);
  // A touch where the unset slider stands already is no input, and counts; one that scrolls the page does not.
  slider.addEventListener("pointerdown", () => slider.addEventListener("pointerup", take, { once: true }));
  box.addEventListener("input", () => {
    if (before) before.value = "";
    follow();
  });
  box.addEventListener("keydown", (event) => {
    const value = {
      PageUp: () => Math.min(box.max, Number(box.value) + 10),
      PageDown: () => Math.max(box.min, Number(box.value) - 10),
      Home: () => box.min,
      End: () => box.max,
    }[event.key];
    if (!value) return;
    event.preventDefault();
    set(value());
    box.select();
  });
  follow();
  slider.hidden = false;
}
