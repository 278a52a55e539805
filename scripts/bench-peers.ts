/** `npm run bench:peers`: this site beside other frameworks with the same page; writes docs/speed.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { LIGHTHOUSE } from '../tests/bench/lighthouse.ts';
import { figure, missedFigures } from '../tests/bench/measure.ts';
import { peers, startPeer } from '../tests/bench/peers.ts';
import { visit } from '../tests/bench/peers-browser.ts';
import { buildPeers } from '../tests/bench/peers-build.ts';
import { load, readyMs } from '../tests/bench/peers-load.ts';
import { type Measured, promises, writeReport } from '../tests/bench/peers-report.ts';
import { generator } from '../tests/bench/wrk.ts';
import { commitNow, recordRun } from './long-runs.ts';

const dataFolder = mkdtempSync(`${tmpdir()}/site-peers-`);
const [own, ...others] = peers(dataFolder);
if (!process.argv.includes('--built')) {
  const site = await startPeer(own);
  await buildPeers(site.address);
  await site.stop();
}
const about = [
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`,
  `${generator()}; ${LIGHTHOUSE}`,
  `${new Date().toISOString().slice(0, 10)}, commit ${commitNow('src', 'content', 'bench', 'tests/bench')}, load of the machine before: ${loadavg()[0]?.toFixed(2)}`,
];
console.log(about.join('\n'));
const all: Measured[] = [];
for (const peer of [own, ...others]) {
  console.log(`\n${peer.name}`);
  const ready = await readyMs(peer);
  const running = await startPeer(peer);
  const isSecond = all.some(({ folder }) => folder === peer.folder);
  const visited = isSecond ? undefined : await visit(running.address);
  const loaded = await load(running);
  await running.stop();
  all.push({ ...peer, readyMs: ready, visited, ...loaded });
  console.log(JSON.stringify(all.at(-1)));
}
rmSync(dataFolder, { recursive: true });
writeReport(all, about);
for (const { what, times, atLeast } of promises(all)) figure(what, times, { atLeast });
recordRun('peers', missedFigures() === 0);
process.exit(missedFigures() === 0 ? 0 : 1);
