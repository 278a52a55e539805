/**
 * `npm run bench`: runs all benchmarks; `npm run bench wire` runs the named ones. Lighthouse, which
 * npx has to fetch, runs by name only.
 */
import { cpus } from 'node:os';
import { missedFigures } from '../tests/bench/measure.ts';

const BENCHES: Record<string, () => Promise<void>> = {
  'home-page': async () => (await import('../tests/bench/home-page.ts')).benchHomePage(),
  wire: async () => (await import('../tests/bench/wire.ts')).benchWire(),
  streams: async () => (await import('../tests/bench/streams.ts')).benchStreams(),
  'hostile-clients': async () =>
    (await import('../tests/bench/hostile-clients.ts')).benchHostileClients(),
  loading: async () => (await import('../tests/bench/loading.ts')).benchLoading(),
  lighthouse: async () => (await import('../tests/bench/lighthouse.ts')).benchLighthouse(),
};

const requestedNames = process.argv.slice(2);
console.log(`${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}`);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (!(requestedNames.length > 0 ? requestedNames.includes(name) : name !== 'lighthouse'))
    continue;
  console.log(`\n${name}`);
  await bench();
}
process.exit(missedFigures() === 0 ? 0 : 1);
