/** docs/reliability.md has a row for each room: what came out when its mutants were last tried. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Fate } from './mutant-run.ts';

const PAGE = 'docs/reliability.md';

export interface Score {
  room: string;
  floor: number;
  /** How many mutants the room has. */
  all: number;
  fates: readonly Fate[];
}

/** Whole percent, rounded down: of those that were tried, what the tests noticed. */
export function percent({ fates }: Score): number {
  return Math.floor((100 * countOf(fates, 'killed')) / fates.length);
}

export function scoreLine(score: Score): string {
  const { room, floor, all, fates } = score;
  const missed = `${countOf(fates, 'survived')} survived, ${countOf(fates, 'not reached')} not reached`;
  return `${room}: ${percent(score)} % of ${fates.length} killed (of ${all}; at least ${floor} %), ${missed}`;
}

/** Puts the rooms' rows in the place of their former ones. */
export function writeScores(scores: readonly Score[], commit: string, seed: string): void {
  const today = new Date().toISOString().slice(0, 10);
  const rows = new Map(
    scores.map((score) => {
      const { room, floor, all, fates } = score;
      const missed = `${countOf(fates, 'survived')} | ${countOf(fates, 'not reached')}`;
      const row = `| ${room} | ${percent(score)} % | ${floor} % | ${fates.length} of ${all} | ${missed} | ${today} | ${commit} | ${seed} |`;
      return [room, row];
    }),
  );
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const written = lines.map((line) => rows.get(/^\| ([\w-]+) *\|/.exec(line)?.[1] ?? '') ?? line);
  writeFileSync(PAGE, written.join('\n'));
  // The check wants the columns in line.
  spawnSync('biome', ['format', '--write', PAGE]);
}

function countOf(fates: readonly Fate[], which: Fate): number {
  return fates.filter((fate) => fate === which).length;
}
