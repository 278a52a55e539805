/** A disk that is soon full: a file system in memory, which only root can mount. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  folder: string;
  /** Takes all the space that is left; gives what makes room again. */
  fill(): () => void;
  remount(how: 'ro' | 'rw'): void;
  remove(): void;
}

/** Undefined where that is not allowed. */
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
