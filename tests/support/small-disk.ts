/** A disk that a test can fill: a tmpfs, which only root can mount. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SmallDisk {
  folder: string;
  /** Uses up all free space; returns a function that frees it again. */
  fill(): () => void;
  remount(how: 'ro' | 'rw'): void;
  remove(): void;
}

/** Returns undefined without permission to mount. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'site-disk-'));
  const size = `size=${megabytes}m`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]).status !== 0) {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    fill() {
      const ballast = join(folder, 'ballast');
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096']);
      return () => rmSync(ballast);
    },
    remount(how) {
      spawnSync('mount', ['-o', `remount,${how}`, folder]);
    },
    remove() {
      spawnSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}
