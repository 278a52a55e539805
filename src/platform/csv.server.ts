const FORMULA = /^[=+\-@\t\r]/;

/** A cell of what a stranger typed: quoted (RFC 4180), and never a formula to a spreadsheet. */
export function textCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
