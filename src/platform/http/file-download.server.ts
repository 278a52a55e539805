/** Streamed downloads: rows are read only as fast as the client receives them. */
import { setImmediate } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { tryGetContext } from 'hono/context-storage';
import { countUnsent } from './unsent-answers.server.ts';

/** The policy keeps browsers from rendering or running the file. */
export function fileDownload(name: string, type: string, pieces: AsyncGenerator<string>): Response {
  const outgoing = tryGetContext<{ Bindings: HttpBindings }>()?.env.outgoing;
  const stream = new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done) return controller.close();
        controller.enqueue(Buffer.from(value));
        // Lets other requests run between two chunks.
        await setImmediate();
        if (outgoing) countUnsent(outgoing);
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  });
}

/** Without this byte order mark, Excel reads José as JosÃ©. */
const UTF8_MARK = '\uFEFF';

/** A CSV file with a header line and one line per row. */
export function csvDownload<Row>(
  name: string,
  columns: Readonly<Record<string, (row: Row) => string | number>>,
  chunks: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): Response {
  const type = 'text/csv; charset=utf-8; header=present';
  return fileDownload(name, type, csvLines(columns, chunks));
}

async function* csvLines<Row>(
  columns: Readonly<Record<string, (row: Row) => string | number>>,
  chunks: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield `${UTF8_MARK}${Object.keys(columns).join(',')}\r\n`;
  const cells = Object.values(columns);
  for await (const rows of chunks)
    yield rows.map((row) => `${cells.map((cell) => csvCell(cell(row))).join(',')}\r\n`).join('');
}

/** Excel in East Asia takes full-width signs for the plain ones. */
const FORMULA_BEGINS = /^[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/;
/** Where spreadsheets separate cells by ';', a new cell begins after each one, even inside quotes. */
const FORMULA_AFTER_SEMICOLON = /;(?="*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫])/g;

/**
 * Text is quoted (RFC 4180); an apostrophe before anything that a spreadsheet, of any locale, would take for a formula
 * makes it text.
 */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const escaped = FORMULA_BEGINS.test(value) ? `'${value}` : value;
  return `"${escaped.replace(FORMULA_AFTER_SEMICOLON, ";'").replaceAll('"', '""')}"`;
}
