// Marks that a program suggested, on screens that have any.

const told = ({ start, end, severity, type }) => [start, end, severity, type].join();

/** Whether a mark is still as it was suggested, by the suggestions as JSON. */
export function among(suggestions) {
  const suggested = Object.values(JSON.parse(suggestions)).flat().map(told);
  return (mark) => !!mark && suggested.includes(told(mark));
}
