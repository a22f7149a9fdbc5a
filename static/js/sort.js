/* Sorts the rows of a table in place by a column. A heading with a link that sorts does it without loading the
   page; other headings get a button. Numbers are sorted highest first, texts alphabetically; the next click
   reverses the order. Cells without a value stay last. */
(() => {
  'use strict';

  const said = (cell) => [...cell.childNodes].filter((node) => !(node instanceof Element && node.matches('small, .unseen'))).map((node) => node.textContent).join('').trim();
  const number = (text) => parseFloat(text.replace(/[,\s]/g, '').replace(/^[<±]/, '').replace('−', '-'));

  const sort = (heading) => {
    const table = heading.closest('table'), place = heading.cellIndex;
    const isNumber = heading.classList.contains('number');
    const first = isNumber && !heading.hasAttribute('data-lowest-first') ? 'descending' : 'ascending';
    const other = first === 'descending' ? 'ascending' : 'descending';
    const order = heading.getAttribute('aria-sort') === first ? other : first;
    const sign = order === 'ascending' ? 1 : -1;
    const value = (row) => (isNumber ? number(said(row.cells[place])) : said(row.cells[place]));
    const isMissing = (it) => it === '' || it === '–' || Number.isNaN(it);
    const compare = (a, b) => (isNumber ? a - b : a.localeCompare(b, undefined, { numeric: true }));
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row), row]);
    rows.sort(([a], [b]) => isMissing(a) - isMissing(b) || (isMissing(a) ? 0 : sign * compare(a, b)));
    body.append(...rows.map(([, row]) => row));
    for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', order);
  };

  for (const heading of document.querySelectorAll('.sortable thead th:not(.mark)')) {
    const link = heading.querySelector('a[data-sorts]');
    const control = link ?? document.createElement('button');
    if (!link) {
      control.type = 'button';
      control.className = 'sorts';
      control.setAttribute('aria-label', `Sort by ${said(heading)}`);
      heading.append(control);
    }
    control.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      sort(heading);
    });
  }
})();
