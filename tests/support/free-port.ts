import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Of this machine, for a server that must be told its own. It is below those that the system gives to connections, so
 * that it is still free when the server has been made ready, which takes seconds on a busy machine, and above those
 * that browsers refuse.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
