const MARKS = { Comma: ",", Period: ".", Slash: "/", Minus: "-" };

/** What is on the key where the keyboard writes another alphabet; otherwise what it writes or does. */
export function nameOf({ key, code, shiftKey }) {
  if (key.length > 1) return key;
  const isOnKey = key > "~" || (code.startsWith("Digit") && !shiftKey);
  if (isOnKey && code === "Slash" && shiftKey) return "?";
  return (isOnKey ? (MARKS[code] ?? code.replace(/^(Key|Digit)/, "")) : key).toLowerCase();
}
