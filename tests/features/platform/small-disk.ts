/** A disk that a test can fill: a tmpfs, which only root can mount. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns undefined without permission to mount. */
export function smallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'site-disk-'));
  const size = `size=${megabytes}m`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]).status !== 0) {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    /** Uses up all free space; returns a function that frees it again. */
    fill() {
      const filler = join(folder, 'filler');
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096']);
      return () => rmSync(filler);
    },
    remount(option: 'ro' | 'rw' | `size=${number}m`) {
      spawnSync('mount', ['-o', `remount,${option}`, folder]);
    },
    remove() {
      spawnSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}
