/** Builds the browser's and the server's code when a source has changed since the last build. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';

const MARK = 'dist/.built-from';

const sources = hashSources();
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== sources) {
  console.log('Building …');
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({ logLevel: 'warn' });
  await builder.buildApp();
  writeFileSync(MARK, sources);
}

function hashSources(): string {
  const hash = createHash('sha256');
  const files = globSync(['src/**/*', 'vite.config.ts', 'package-lock.json'], {
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}
