import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

test('the style guide shows every component of src/ui, directly or inside another', () => {
  const shown = new Set(globSync('styleguide/*.tsx').flatMap(importsOf));
  // The set grows while it is iterated.
  for (const file of shown) for (const imported of importsOf(file)) shown.add(imported);
  const files = globSync('src/ui/**/*.tsx');
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !shown.has(file))).toEqual([]);
});

/** The components of src/ui that a file imports. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/'(\.{1,2}\/.+\.tsx)'/g)]
    .map(([, name = '']) => join(dirname(file), name))
    .filter((path) => path.startsWith('src/ui/'));
}
