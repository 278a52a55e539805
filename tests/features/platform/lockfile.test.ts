import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  integrity?: string;
  /** Part of the package that holds it, and of that one's digest. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

test('every package is pinned by its digest, and none that the site runs with has an install script', () => {
  const { '': _project, ...locked } = packages;
  const faults = Object.entries(locked).filter(
    ([, { integrity, inBundle, hasInstallScript, dev }]) =>
      (!integrity && !inBundle) || (hasInstallScript && !dev),
  );
  expect(faults).toEqual([]);
});
