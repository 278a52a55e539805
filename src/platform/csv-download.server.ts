/** A file of CSV that is streamed: what the receiver has not taken is not read yet. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The file is called `name` and the day; `head` and `pieces` are whole lines. */
export function csvDownload(name: string, head: string, pieces: AsyncGenerator<string>): Response {
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) return controller.close();
      controller.enqueue(Buffer.from(value));
      // Other requests have their turn between two pieces.
      await nextTurn();
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
  const day = new Date().toISOString().slice(0, 10);
  return new Response(stream, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${name}-${day}.csv"`,
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  });
}
