/** The copies of the database in a folder, as `npm run backup` names them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Copy {
  file: string;
  madeAt: number;
}

/** `2026-11-20T06-00-00-000Z`, the time that a file's name has. */
const NAMED = /^site-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.(sqlite|dump)$/;

export function copyName(databaseUrl: string | null): string {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  return `site-${time}.${databaseUrl ? 'dump' : 'sqlite'}`;
}

/** Of this kind of database, oldest first; none dated ahead, or where no folder can be read. */
export function findCopies(
  { databaseUrl }: { databaseUrl: string | null },
  folder: string,
): Copy[] {
  return namesIn(folder)
    .sort()
    .flatMap((name) => {
      const [, hour, minute, second, rest, kind] = NAMED.exec(name) ?? [];
      if (kind !== (databaseUrl ? 'dump' : 'sqlite')) return [];
      const madeAt = Date.parse(`${hour}:${minute}:${second}.${rest}`);
      return [{ file: join(folder, name), madeAt }];
    })
    .filter(({ madeAt }) => madeAt <= Date.now());
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
