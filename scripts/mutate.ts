/**
 * `npm run test:mutants -- money 40`: breaks the code of a room in 40 places, one after the other, and says which of
 * the breakages no test notices. Without words it does so in all rooms. `--seed` draws other places.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type BrokenFile, type Fate, tryMutants } from './mutant-run.ts';
import { mutantsOf } from './mutators.ts';

const ROOMS: Record<string, string[]> = {
  money: [
    'src/platform/money.ts',
    'src/catalogue/pricing.ts',
    'src/catalogue/live-catalogue.server.ts',
    'src/checkout/billing*.ts',
    'src/checkout/charge-no-more.server.ts',
    'src/payment/end-charges.server.ts',
    'src/payment/stripe-prices.server.ts',
  ],
};
const TESTS = ['src/**/*.test.{ts,tsx}', 'tests/features/**/*.test.ts'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const [room = 'money', size = '40', ...tests] = positionals;
const files = breakFiles(globSync(ROOMS[room] ?? room));
const all = files.flatMap(({ path, code, mutants, first }) => mutants.map((m, i) => ({ id: first + i, path, line: code.slice(0, m.start).split('\n').length, ...m })));
const rank = (m) => createHash('sha256').update([values.seed, m.path, m.original, m.mutated].join('\n')).digest('hex');
const sample = all.map((m) => ({ m, rank: rank(m) })).sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, Number(size)).map(({ m }) => m.id);
console.log(room, all.length, 'mutants');
let began = Date.now();
const fates = {};
await tryMutants(files, sample, tests.length > 0 ? tests : TESTS, (id, fate) => {
  const m = all[id];
  const s = (t) => t.replace(/\s+/g, ' ').slice(0, 90);
  console.log(((Date.now() - began) / 1000).toFixed(1).padStart(6), fate, `${m.path}:${m.line}  ${s(m.original)} → ${s(m.mutated)}`);
  began = Date.now();
  fates[fate] = (fates[fate] ?? 0) + 1;
});
console.log(fates);
process.exit();

function breakFiles(paths: string[]): BrokenFile[] {
  let first = 0;
  return paths.sort().map((path) => {
    const code = readFileSync(path, 'utf8');
    const mutants = mutantsOf(code);
    first += mutants.length;
    return { path, code, mutants, first: first - mutants.length };
  });
}
