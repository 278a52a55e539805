/** Caddy as deploy/Caddyfile sets it up, with http on a free port. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilAnswered } from './until-answered.ts';

const version = () => spawnSync('caddy', ['version'], { encoding: 'utf8' });

export const hasCaddy = () => !version().error;

/** `port`: where the site will listen. */
export async function startCaddy(port: number) {
  const folder = temporaryFolder();
  const origin = `http://127.0.0.1:${await freePort()}`;
  const shipped = readFileSync('deploy/Caddyfile', 'utf8')
    .replace(/^\{/m, '{\nadmin off')
    .replace(/dynamic a site 3000 \{[^}]*\}/, `to 127.0.0.1:${port}`);
  // Debian's Caddy has the older words for it.
  const file = version().stdout.startsWith('2.6.2')
    ? shipped.replace(/request_buffers (\w+)/, 'buffer_requests\nmax_buffer_size $1')
    : shipped;
  writeFileSync(join(folder, 'Caddyfile'), file);
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const env = { PATH: process.env.PATH, HOME: folder, PUBLIC_URL: origin };
  const caddy = spawn('caddy', args, { stdio: 'ignore', env });
  await untilAnswered(origin);
  return {
    origin,
    /** What a site behind it needs. */
    variables: { PUBLIC_URL: origin, PAYMENTS: 'test', DEMO_MODE: 'off', TRUST_PROXY: '1' },
    stop: () => caddy.kill(),
  };
}
