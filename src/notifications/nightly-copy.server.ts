/**
 * A copy of the database each night, made by the program of `npm run backup`: a process of its own,
 * for which no visitor waits.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { localDate } from '../company/days.ts';
import { findCopies } from '../platform/database/copies.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';

/** At 2:00 in the company's time zone a new night begins. */
const NIGHT_BEGINS_MS = 2 * HOUR_MS;
/** Older than this, staff are notified. */
export const OLD_COPY_MS = 2 * DAY_MS;

/** Makes the night's copy also later, when the site or the disk was away. */
export function nightlyCopy({ env, company, outbox: { faults } }: Site): Interval | [] {
  const { backups } = env;
  if (!backups) return [];
  let triedAt = Number.NEGATIVE_INFINITY;
  const night = (time: number) => localDate(company, time - NIGHT_BEGINS_MS);
  const newest = () => findCopies(env, backups.folder).at(-1)?.madeAt;

  async function make(): Promise<void> {
    const answer = await runBackup();
    const made = newest();
    if (answer === null) await faults.works('backup');
    else {
      logEvent('error', 'backup-failed', { message: answer });
      if (made === undefined || made < Date.now() - OLD_COPY_MS)
        await faults.failed('backup', answer, { sure: true });
    }
  }

  return new Interval('backup-check-failed', MINUTE_MS, async () => {
    const made = newest();
    const isMade = made !== undefined && night(made) === night(Date.now());
    if (isMade || performance.now() < triedAt + HOUR_MS) return;
    triedAt = performance.now();
    // The site's other work does not wait.
    make().catch((error: unknown) => logFault('backup-check-failed', error));
  });
}

/** Resolves to why there is no copy, or null. */
async function runBackup(): Promise<string | null> {
  const program = spawn(process.execPath, ['dist/server/backup.cjs', '--nightly'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [output, code] = await Promise.all([
    text(program.stderr),
    new Promise<number | string | null>((resolve) =>
      program
        .on('close', (code, signal) => resolve(code ?? signal))
        .on('error', () => resolve(null)),
    ),
  ]);
  return code === 0 ? null : output.trim() || `it ended with ${code}`;
}
