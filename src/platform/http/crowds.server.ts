/**
 * Collects garbage when a crowd of connections has left. V8 collects when much is allocated, so that a server which is
 * hardly asked any more would keep what the crowd has left behind for hours.
 */
import type { SiteServer } from './measured-response.server.ts';

const CROWD = 500;
const LOOK_MS = 5_000;
/** What the first collection lets go of, the allocator gives back with the second. */
const COLLECTIONS = 2;

/** Does nothing in a process that was started without `--expose-gc`. */
export function collectAfterCrowds(server: SiteServer): void {
  const { gc } = globalThis;
  if (!gc) return;
  let most = 0;
  let due = 0;
  const look = () =>
    server.getConnections((_, open) => {
      most = Math.max(most, open);
      if (most >= CROWD && open < most / 2) {
        most = open;
        due = COLLECTIONS;
      }
      if (due === 0) return;
      due -= 1;
      void gc({ type: 'major', execution: 'async', flavor: 'last-resort' });
    });
  const looking = setInterval(look, LOOK_MS).unref();
  server.on('close', () => clearInterval(looking));
}
