/* A page leaves room for a figure of a likely size; once the figure is there, it takes the width that it has. */
(() => {
  'use strict';

  const fit = (image) => { if (image.naturalWidth) image.classList.add('drawn'); };

  document.querySelectorAll('figure img').forEach((image) => {
    image.addEventListener('load', () => fit(image));
    if (image.complete) fit(image);
  });
})();
