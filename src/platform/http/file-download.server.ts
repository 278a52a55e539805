/** Streamed downloads: rows are read only as fast as the client receives them. */
import { setImmediate } from 'node:timers/promises';
import { type Cents, toDollars } from '../money.ts';

/** The policy keeps browsers from rendering or running the file. */
export function fileDownload(name: string, type: string, pieces: AsyncGenerator<string>): Response {
  const stream = new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done) return controller.close();
        controller.enqueue(Buffer.from(value));
        // Lets other requests run between two pieces.
        await setImmediate();
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

/** A string is text, which spreadsheets must not read as anything else. */
export type Cell = string | number | { figure: string };
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** An amount or a day, in a form of ours, which spreadsheets should read as such. */
export function figure(text: string): Cell {
  return { figure: text };
}

export function dollarFigure(amount: Cents): Cell {
  return figure(toDollars(amount).toFixed(2));
}

/** What may be a number that others wrote: as a formula of its text, it keeps its zeros. */
export function writtenNumber(text: string | null): Cell {
  return text && /^[\w \-/.]+$/.test(text) ? figure(`"=""${text}"""`) : (text ?? '');
}

export function csvDownload<Row>(
  name: string,
  columns: Columns<Row>,
  chunks: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): Response {
  const type = 'text/csv; charset=utf-8; header=present';
  return fileDownload(name, type, csvLines(columns, chunks));
}

async function* csvLines<Row>(
  columns: Columns<Row>,
  chunks: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield `${UTF8_MARK}${Object.keys(columns).join(',')}\r\n`;
  const cells = Object.values(columns);
  const csvCell = (value: Cell) =>
    typeof value === 'string'
      ? quotedCell(value)
      : typeof value === 'number'
        ? String(value)
        : value.figure;
  for await (const rows of chunks)
    yield rows.map((row) => `${cells.map((cell) => csvCell(cell(row))).join(',')}\r\n`).join('');
}

/** Excel in East Asia takes full-width characters for the plain ones. */
const FORMULA_BEGINS = /^[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/;
/** Where ';' separates cells, one begins after each ';' and line break, even inside quotes. */
const FORMULA_WITHIN = /[;\n](?="*[=+\-@\t＝＋－＠﹦﹢﹣﹫])/g;

/** Quoted text (RFC 4180); an apostrophe makes text of what would be a formula. */
function quotedCell(value: string): string {
  const escaped = FORMULA_BEGINS.test(value) ? `'${value}` : value;
  return `"${escaped.replace(FORMULA_WITHIN, "$&'").replaceAll('"', '""')}"`;
}
