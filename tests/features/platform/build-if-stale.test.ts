/** The build is made anew when a source has changed; a stub takes Vite's place. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('an operator who goes back from a version whose build was cut off gets the one before whole', () => {
  const cwd = temporaryFolder();
  const vite = join(cwd, 'node_modules/vite');
  for (const folder of [vite, join(cwd, 'src'), join(cwd, 'dist')])
    mkdirSync(folder, { recursive: true });
  cpSync('scripts/build-if-stale.ts', join(cwd, 'scripts/build-if-stale.ts'));
  for (const folder of [cwd, vite])
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(vite, 'index.js'),
    "export const createBuilder = () => ({ buildApp: () => process.argv[2] && process.kill(process.pid, 'SIGKILL') });",
  );
  const build = (version: string, ...cutOff: string[]) => {
    writeFileSync(join(cwd, 'src/server.ts'), version);
    const args = ['scripts/build-if-stale.ts', ...cutOff];
    return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' }).stdout;
  };
  expect(build('1.1.13')).toBe('Building …\n');
  expect(build('1.1.13')).toBe('');
  build('1.2.0', 'cut off');
  expect(build('1.1.13')).toBe('Building …\n');
});
