import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  integrity?: string;
  /** Bundled in another package, whose digest covers it. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

test('every package is pinned by digest, and no runtime dependency has an install script', () => {
  const { '': _project, ...locked } = packages;
  const faults = Object.entries(locked).filter(
    ([, { integrity, inBundle, hasInstallScript, dev }]) =>
      (!integrity && !inBundle) || (hasInstallScript && !dev),
  );
  expect(faults).toEqual([]);
});
