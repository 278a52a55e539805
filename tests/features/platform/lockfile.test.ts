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

test('everything in the build may be passed on, under a license that is shipped with it', () => {
  const licenses = ['client', 'server'].flatMap((part) => {
    const text = readFileSync(`dist/${part}/.vite/license.md`, 'utf8');
    return [...text.matchAll(/^## (\S+) - \S+ \((.*)\)$/gm)].map(([, name, license]) => [
      name,
      license,
    ]);
  });
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(licenses.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  const free =
    /^(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|Unlicense|Python-2\.0|PSF-2\.0)$/;
  expect(licenses.filter(([, license = '']) => !free.test(license))).toEqual([]);
});
