import { fileDownload } from './file-download.server.ts';

/** A file of CSV that is streamed; `head` and `pieces` are whole lines. */
export function csvDownload(name: string, head: string, pieces: AsyncGenerator<string>): Response {
  const type = 'text/csv; charset=utf-8; header=present';
  return fileDownload(`${name}.csv`, type, withHead(head, pieces));
}

async function* withHead(head: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* pieces;
}
