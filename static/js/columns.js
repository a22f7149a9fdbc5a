/* Chooses columns of a table that is wider than its room. It begins with as many columns as have room, the most important
   ones first, and all that the text cites; the others are a click away. Without scripts, the table has all of them.
   It runs before the page is first drawn (blocking="render"), so that nothing shifts. */
(() => {
  'use strict';

  const FEWEST = 2, FEWEST_DRAWN = 3, CUT = 4; // Pixels that hide nothing: the room between cells

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

  const placeFor = (room) => {
    const above = room.closest('.with-intervals')?.querySelector('p');
    if (above) return above;
    room.before(document.createElement('p'));
    return room.previousElementSibling;
  };

  const withPicker = (table, number) => {
    const headings = [...table.tHead.rows[0].cells], room = table.closest('.scroll');
    if ([...table.rows].some((row) => row.cells.length !== headings.length)) return;
    const offered = headings.slice(1).filter((heading) => getComputedStyle(heading).display !== 'none');
    const isTooWide = () => room.scrollWidth > room.clientWidth + CUT;
    const fewest = !table.matches('.shaded, .marks') ? FEWEST : Math.max(FEWEST_DRAWN, 1 + Number(table.dataset.cited || 0));
    let last = headings.length - 1;
    while (last >= fewest && isTooWide()) show(table, last--, false);
    if (last === headings.length - 1) return;

    const button = document.createElement('button'), list = document.createElement('span');
    const count = () => { button.textContent = `Columns: ${offered.filter((heading) => !heading.hidden).length} of ${offered.length}`; };
    button.type = 'button';
    button.className = 'term';
    list.id = `columns-${number}`;
    list.className = 'meaning picker';
    list.popover = 'auto';
    button.popoverTargetElement = list;
    for (const heading of offered) list.append(boxFor(heading, table, heading.cellIndex, count));
    count();
    placeFor(room).append(button, list);
  };

  document.querySelectorAll('.scroll > table:is(.shaded, .scores, .few, .marks:not(.standings))').forEach((table, number) => {
    const folded = table.closest('details:not([open])');
    if (folded) folded.addEventListener('toggle', () => withPicker(table, number), { once: true });
    else withPicker(table, number);
  });
})();
