import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with initdb, pg_ctl and postgres, from the PATH or Debian's package. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions.map((version) => `${debian}/${version}/bin`),
  ];
  return folders.find((folder) =>
    ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}
