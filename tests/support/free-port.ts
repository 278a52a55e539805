import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Finds a free port for a server that cannot choose its own. The range lies below the system's
 * ephemeral ports, so that no connection takes the port in the seconds until the server listens,
 * and above the ports that browsers block.
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
