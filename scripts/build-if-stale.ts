/** Builds browser and server code if a source has changed since the last build. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const MARK = 'dist/.built-from';

const sources = hashSources();
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== sources) {
  console.log('Building …');
  // Or a build that is cut off would count as the one before, once its sources are back.
  rmSync(MARK, { force: true });
  // Tests set another value, with which React's development build would be bundled.
  process.env.NODE_ENV = 'production';
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({ logLevel: 'warn' });
  await builder.buildApp();
  for (const file of globSync('dist/client/assets/*.{js,css,svg}')) compress(file);
  writeFileSync(MARK, sources);
}

/** Compresses once, at the best quality, so that the server never has to while a visitor waits. */
function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

function hashSources(): string {
  const hash = createHash('sha256');
  const files = globSync(['src/**/*', 'scripts/**/*.ts', 'vite.config.ts', 'package-lock.json'], {
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}
