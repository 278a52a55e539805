/** What strangers sent, in cells of CSV that a spreadsheet of any country may open. */

const FORMULA_BEGINS = new Set(['=', '+', '-', '@', '\t', '\r']);
/** Where ';' parts the cells, the next one begins behind it, quotes or none. */
const FORMULA_AFTER_SEMICOLON = /;(?="*[=+\-@\t\r])/g;

/** Quoted (RFC 4180), and never a formula: an apostrophe makes it text. */
export function textCell(text: string): string {
  const begun = FORMULA_BEGINS.has(text.charAt(0)) ? `'${text}` : text;
  const harmless = begun.includes(';') ? begun.replace(FORMULA_AFTER_SEMICOLON, ";'") : begun;
  return harmless.includes('"') ? `"${harmless.replaceAll('"', '""')}"` : `"${harmless}"`;
}
