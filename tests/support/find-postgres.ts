import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with PostgreSQL's programs for servers, from the PATH or Debian's package. */
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
    ['initdb', 'pg_basebackup', 'pg_ctl', 'postgres'].every((name) =>
      existsSync(join(folder, name)),
    ),
  );
}
