/**
 * `npm run test:mutants -- money 40`: breaks a room's code in 40 places, one after the other, and says which breakages
 * no test notices. Without words it does so in each room. `--seed 2` draws other places. In the place of a room may
 * stand a file or one of its lines (`src/a.ts:48`), and after the number the only files of tests to run. Why it is
 * ours: docs/decisions/091.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commitNow, recordRun } from './long-runs.ts';
import { ROOMS, type Room } from './mutant-rooms.ts';
import { type BrokenFile, type Fate, tryMutants } from './mutant-run.ts';
import { percent, type Score, scoreLine, writeScores } from './mutant-scores.ts';
import { mutantsOf } from './mutators.ts';

const USUAL_SAMPLE = '40';
/** What no test can notice, for it changes nothing that anybody could see. */
const EQUIVALENT = 'docs/equivalent-mutants.json';
/** In letters; a longer text is cut in its name. */
const LONGEST_TEXT = 90;

interface NamedMutant {
  id: number;
  path: string;
  line: number;
  /** What stood there and what stands there now. */
  name: string;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const [place, size = USUAL_SAMPLE, ...tests] = positionals;
const [wanted, line] = place?.split(':') ?? [];
const began = Date.now();
const passed = await tryRooms(chooseRooms());
console.log(`${Math.round((Date.now() - began) / 1000)} s`);
if (!wanted && tests.length === 0) recordRun('mutants', passed);
process.exit(passed ? 0 : 1);

function chooseRooms(): readonly Room[] {
  if (!wanted) return ROOMS;
  const named = ROOMS.filter(({ name }) => name === wanted);
  return named.length > 0 ? named : [{ name: wanted, floor: 0, files: [wanted] }];
}

async function tryRooms(rooms: readonly Room[]): Promise<boolean> {
  // All rooms are woven in, so that one covering run serves each of them.
  const files = breakFiles([...ROOMS, ...rooms].flatMap((room) => globSync(room.files)));
  const mutants = withoutEquivalents(files.flatMap(named));
  const drawn = rooms.map((room) => {
    const paths = new Set(globSync(room.files));
    const here = mutants.filter(({ path }) => paths.has(path));
    const own = line ? here.filter((mutant) => `${mutant.line}` === line) : here;
    return { room, all: own.length, sample: draw(own) };
  });
  const sample = drawn.flatMap((each) => each.sample);
  const fates = new Map<number, Fate>();
  await tryMutants(files, sample, tests, ({ id, path, line, name }, fate) => {
    fates.set(id, fate);
    if (fate !== 'killed') console.log(`${fate}: ${path}:${line} ${name}`);
  });
  const scores = drawn.map(({ room, all, sample }): Score => {
    const own = sample.flatMap(({ id }) => fates.get(id) ?? []);
    return { room: room.name, floor: room.floor, all, fates: own };
  });
  for (const score of scores) console.log(scoreLine(score));
  if (tests.length === 0) writeScores(scores, commitNow('src', 'tests'), values.seed);
  return scores.every((score) => percent(score) >= score.floor);
}

function breakFiles(paths: readonly string[]): BrokenFile[] {
  let first = 0;
  return [...new Set(paths)].sort().map((path) => {
    const code = readFileSync(path, 'utf8');
    const mutants = mutantsOf(code);
    first += mutants.length;
    return { path, code, mutants, first: first - mutants.length };
  });
}

function named({ path, code, mutants, first }: BrokenFile): NamedMutant[] {
  const known = new Map<string, number>();
  return mutants.map(({ start, original, mutated }, index) => {
    const text = `${oneLine(original)} → ${oneLine(mutated) || 'nothing'}`;
    const nth = (known.get(text) ?? 0) + 1;
    known.set(text, nth);
    const line = code.slice(0, start).split('\n').length;
    return { id: first + index, path, line, name: nth > 1 ? `${text} (${nth})` : text };
  });
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

function withoutEquivalents(mutants: readonly NamedMutant[]): NamedMutant[] {
  const listed: { file: string; mutant: string }[] = JSON.parse(readFileSync(EQUIVALENT, 'utf8'));
  const known = new Set(listed.map(({ file, mutant }) => `${file} ${mutant}`));
  const rest = mutants.filter(({ path, name }) => !known.delete(`${path} ${name}`));
  for (const gone of known) console.error(`${EQUIVALENT} names a mutant that is gone: ${gone}`);
  return rest;
}

/** The same ones as long as their code stays the same, whatever happens to the code around them. */
function draw(mutants: readonly NamedMutant[]): NamedMutant[] {
  const rank = ({ path, name }: NamedMutant) =>
    createHash('sha256').update(`${values.seed} ${path} ${name}`).digest('hex');
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, Number(size))
    .map(({ mutant }) => mutant);
}
