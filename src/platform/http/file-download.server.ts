/** A file that is streamed: what the receiver has not taken is not read yet. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** `name` as in 'orders.csv', to which the day is added; the file shows nothing of itself in a browser. */
export function fileDownload(name: string, type: string, pieces: AsyncGenerator<string>): Response {
  const stream = new ReadableStream({
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
  const [stem, ending] = name.split('.');
  return new Response(stream, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${stem}-${day}.${ending}"`,
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  });
}
