/** SQLite's disk: staff are notified before it is full, and orders keep what is left of it. */
import { statfs } from 'node:fs/promises';
import { FULL_DISK_BYTES, LOW_DISK_BYTES } from '../limits.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { MINUTE_MS } from '../platform/time.ts';
import { STAFF_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import type { NotificationKind } from './notification.server.ts';

const MB = 1024 * 1024;

/** Of the disk that DATA_DIR is on. PostgreSQL's is watched by its own monitoring. */
async function freeBytes({ env: { databaseUrl, dataDir } }: Site): Promise<number> {
  if (databaseUrl !== null) return Number.POSITIVE_INFINITY;
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/** For what strangers write, and can say by telephone as well. */
export async function refuseWhenFull(site: Site): Promise<Response | undefined> {
  // Of a folder that is gone the database itself says more.
  const free = await freeBytes(site).catch(() => Number.POSITIVE_INFINITY);
  if (free >= FULL_DISK_BYTES) return undefined;
  const words = `We can’t take messages right now. Please call ${site.company.phone.display}.`;
  return refuse(503, words, { retryAfter: 60 * 60 });
}

export function watchDisk(site: Site): Interval {
  const { db, notify } = site;
  let isNotified = false;
  return new Interval('disk-watch-failed', MINUTE_MS, async () => {
    const free = await freeBytes(site);
    const isLow = free < LOW_DISK_BYTES;
    if (isLow && !isNotified)
      await db.transaction().execute((trx) => notify(trx, diskLow, Math.floor(free / MB)));
    // Around the limit it would be told again and again.
    if (isLow || free > 1.5 * LOW_DISK_BYTES) isNotified = isLow;
  });
}

/** Its id is how many megabytes were free. */
export const diskLow: NotificationKind<number> = {
  kind: 'disk-low',
  label: 'Disk',
  find: async (_db, megabytes) => megabytes,
  reference: (megabytes) => `${megabytes} MB free`,
  topic: () => 'disk',
  audiences: () => ['staff'],
  staffMessage: (megabytes, { publicUrl }) => ({
    title: `Only ${megabytes} MB are free on the website’s disk`,
    warning: `Please make room. With less than ${FULL_DISK_BYTES / MB} MB, messages and chats are refused, and visitors are asked to call. Orders are taken as long as they fit.`,
    facts: [['Free', `${megabytes} MB`]],
    reply: null,
    staffUrl: `${publicUrl}${STAFF_PAGES.logs.path}`,
  }),
};
