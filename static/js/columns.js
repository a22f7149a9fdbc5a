/* Chooses columns of a table of many values. It begins with as many columns as have room, the most important
   ones first, and all that the text cites; the others are a click away. Without scripts, the table has all of them. */
(() => {
  'use strict';

  const FEWEST = 3;

  const show = (table, place, isShown) => {
    for (const row of table.rows) row.cells[place].hidden = !isShown;
  };

  const boxFor = (heading, table, place, changed) => {
    const label = document.createElement('label'), box = document.createElement('input');
    const name = [...heading.childNodes].filter((node) => !(node instanceof Element && node.matches('.sorts, .meaning'))).map((node) => node.textContent).join('').trim();
    box.type = 'checkbox';
    box.checked = !heading.hidden;
    box.addEventListener('change', () => { show(table, place, box.checked); changed(); });
    label.append(box, ` ${name}`);
    return label;
  };

  const withPicker = (table, number) => {
    const headings = [...table.tHead.rows[0].cells], room = table.closest('.scroll');
    const isTooWide = () => room.scrollWidth > room.clientWidth;
    const fewest = Math.max(FEWEST, 1 + Number(table.dataset.cited || 0));
    let last = headings.length - 1;
    while (last >= fewest && isTooWide()) show(table, last--, false);
    if (last === headings.length - 1) return;

    const button = document.createElement('button'), list = document.createElement('span');
    const count = () => { button.textContent = `Columns: ${headings.filter((heading) => !heading.hidden).length - 1} of ${headings.length - 1}`; };
    button.type = 'button';
    button.className = 'term';
    list.id = `columns-${number}`;
    list.className = 'meaning picker';
    list.popover = 'auto';
    button.popoverTargetElement = list;
    headings.forEach((heading, place) => place && list.append(boxFor(heading, table, place, count)));
    count();
    table.closest('.with-intervals').querySelector('p').append(button, list);
  };

  document.querySelectorAll('.with-intervals .scroll > table.shaded').forEach(withPicker);
})();
