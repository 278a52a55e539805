/** Puts the run's temporary folder in memory: syncing took longer than the tests. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
const NAME = /^site-tests-(\d+)$/;
/** A full run needs about 1 GB at its peak. */
const ROOM_IN_BYTES = 3e9;

/** Points TMPDIR of this process and its children to the folder. */
export default function setup(): () => void {
  const folder = join(hasRoom() ? MEMORY : tmpdir(), `site-tests-${process.pid}`);
  removeLeftovers(join(folder, '..'));
  mkdirSync(folder, { mode: 0o755 });
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_IN_BYTES;
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (!pid || runs(Number(pid))) continue;
    const folder = join(parent, name);
    for (const disk of disksIn(folder)) spawnSync('umount', [disk]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Disks that small-disk.ts has mounted in the folder. */
function disksIn(folder: string): string[] {
  if (!existsSync(MOUNTS)) return [];
  const places = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return places.filter((place) => place.startsWith(`${folder}/`));
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
