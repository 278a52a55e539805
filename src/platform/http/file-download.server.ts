/** Files that are streamed: what the receiver has not taken is not read yet. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** `name` as in 'person.json', to which the day is added; the file shows nothing of itself in a browser. */
export function fileDownload(name: string, type: string, pieces: AsyncGenerator<string>): Response {
  const stream = new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) return controller.close();
      controller.enqueue(Buffer.from(value));
      // Other requests have their turn between two pieces.
      await nextTurn();
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
  const day = new Date().toISOString().slice(0, 10);
  return new Response(stream, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name.replace('.', `-${day}.`)}"`,
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  });
}

/** A file of CSV with a line of names and one line for each row. */
export function csvDownload<Row>(
  name: string,
  columns: Readonly<Record<string, (row: Row) => string | number>>,
  chunks: AsyncIterable<readonly Row[]>,
): Response {
  const type = 'text/csv; charset=utf-8; header=present';
  return fileDownload(`${name}.csv`, type, csvLines(columns, chunks));
}

async function* csvLines<Row>(
  columns: Readonly<Record<string, (row: Row) => string | number>>,
  chunks: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield `${Object.keys(columns).join(',')}\r\n`;
  const cells = Object.values(columns);
  for await (const rows of chunks)
    yield rows.map((row) => `${cells.map((cell) => csvCell(cell(row))).join(',')}\r\n`).join('');
}

const FORMULA_BEGINS = new Set(['=', '+', '-', '@', '\t', '\r']);
/** Where ';' parts the cells, the next one begins behind it, quotes or none. */
const FORMULA_AFTER_SEMICOLON = /;(?="*[=+\-@\t\r])/g;

/**
 * A number as it is; a text quoted (RFC 4180) and never a formula in a spreadsheet of any country: an apostrophe makes
 * it text.
 */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const begun = FORMULA_BEGINS.has(value.charAt(0)) ? `'${value}` : value;
  return `"${begun.replace(FORMULA_AFTER_SEMICOLON, ";'").replaceAll('"', '""')}"`;
}
