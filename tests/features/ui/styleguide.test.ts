import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startTestApp } from '../../support/test-app.ts';

describe('the style guide', () => {
  test('shows every part of src/ui, or a part that is made of it', () => {
    const shown = new Set(
      globSync('styleguide/*.tsx').flatMap((file) => namedIn(file, /'\.\.\/src\/ui\/(.+\.tsx)'/g)),
    );
    for (const part of shown) {
      for (const within of namedIn(`src/ui/${part}`, /'\.\/(.+\.tsx)'/g)) shown.add(within);
    }
    const parts = globSync('src/ui/*.tsx').map((file) => basename(file));
    expect(parts.filter((part) => !shown.has(part))).toEqual([]);
  });

  test('is for developers alone', async () => {
    const app = await startTestApp();
    expect((await app.visitor().get('/styleguide')).status).toBe(404);
    await app.stop();
  });
});

function namedIn(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name);
}
