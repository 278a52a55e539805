import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

test('the style guide shows every part of src/ui, or a part that is made of it', () => {
  const shown = new Set(globSync('styleguide/*.tsx').flatMap(importedBy));
  for (const part of shown) for (const within of importedBy(part)) shown.add(within);
  const parts = globSync('src/ui/**/*.tsx');
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.filter((part) => !shown.has(part))).toEqual([]);
});

/** The parts of src/ui that a file is made of. */
function importedBy(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/'(\.{1,2}\/.+\.tsx)'/g)]
    .map(([, name = '']) => join(dirname(file), name))
    .filter((path) => path.startsWith('src/ui/'));
}
