/**
 * What is too long for the gate: when each was last run in whole, on which commit, and with what outcome. A run is
 * recorded in docs/long-runs.json; `npm run check` says which are stale.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const RECORDS = 'docs/long-runs.json';
/** What a run speaks about, so that changes elsewhere do not make it stale. */
const SUBJECTS = {
  looks: ['src', 'content', 'tests/looks'],
  lighthouse: ['src', 'content', 'vite.config.ts'],
  bench: ['src', 'tests/bench'],
  endurance: ['src', 'tests/endurance', 'tests/support'],
  full: ['src', 'tests'],
} as const;
const STALE_AFTER_DAYS = 30;
const STALE_AFTER_COMMITS = 40;

export type LongRun = keyof typeof SUBJECTS;
type Records = Partial<Record<LongRun, { commit: string; at: string; passed: boolean }>>;

/** Call it when a run that left nothing out has ended. */
export function recordRun(run: LongRun, passed: boolean): void {
  const commit = commitNow(...SUBJECTS[run]);
  const records = { ...readRecords(), [run]: { commit, at: new Date().toISOString(), passed } };
  writeFileSync(RECORDS, `${JSON.stringify(records, null, 2)}\n`);
}

/** Where the paths stand now. */
export function commitNow(...paths: string[]): string {
  const dirty = git('status', '--porcelain', '--', ...paths) !== '';
  return git('rev-parse', '--short', 'HEAD') + (dirty ? ' and changes' : '');
}

/** One line a run, for people: stale runs fail nothing. */
export function longRunLines(): string[] {
  const records = readRecords();
  const names = Object.keys(SUBJECTS) as LongRun[];
  return names.map((run) => {
    const record = records[run];
    if (!record) return `${run}: no run is recorded, stale`;
    const days = Math.floor((Date.now() - Date.parse(record.at)) / 86_400_000);
    const [commit = ''] = record.commit.split(' ');
    const since = git('rev-list', '--count', `${commit}..HEAD`, '--', ...SUBJECTS[run]);
    const stale =
      since === '' || Number(since) > STALE_AFTER_COMMITS || days > STALE_AFTER_DAYS
        ? ', stale'
        : '';
    const outcome = record.passed ? 'passed' : 'FAILED';
    return `${run}: ${outcome} on ${record.commit}, ${record.at.slice(0, 10)}, ${since || 'unknown'} commits ago${stale}`;
  });
}

function readRecords(): Records {
  return JSON.parse(readFileSync(RECORDS, 'utf8'));
}

/** What Git prints, or nothing where there is no repository or no such commit. */
function git(...words: string[]): string {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
