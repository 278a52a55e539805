/** nginx as deploy/nginx.conf sets it up, with https on a free port. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilAnswered } from './until-answered.ts';

export const hasNginx = () => !spawnSync('nginx', ['-v']).error;

/** `ports`: where the site's instances will listen. From now on `fetch` trusts its certificate. */
export async function startNginx(ports: readonly number[]) {
  const folder = temporaryFolder();
  const [tlsPort, plainPort] = await Promise.all([freePort(), freePort()]);
  const { file, cert } = makeCertificate();
  const shipped = readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/listen \[::\].*/g, '')
    .replaceAll('www.example.com', 'localhost')
    .replace(/(ssl_certificate(_key)?) .*;/g, `$1 ${file};`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${tlsPort} `)
    .replace(/server 127\.0\.0\.1:3000( .*;)/, (_, rest) =>
      ports.map((each) => `server 127.0.0.1:${each}${rest}`).join(' '),
    );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const [, main] = /^# {3}(worker_.*)/m.exec(shipped) ?? [];
  // Its workers write to the folders above, which belong to whoever runs the tests.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `daemon off; pid ${folder}/nginx.pid; ${user} ${main}
    http { access_log off; gzip on; ${temporary.join(' ')} ${shipped} }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const args = ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  const nginx = spawn('nginx', args, { stdio: 'ignore' });
  await untilAnswered(`http://127.0.0.1:${plainPort}`);
  setDefaultCACertificates([...getCACertificates('default'), String(cert)]);
  const origin = `https://localhost:${tlsPort}`;
  return {
    origin,
    plainPort,
    /** Lets clients and commands in processes of their own trust the certificate. */
    certificate: { file, cert },
    /** What a site behind it needs. */
    variables: { PUBLIC_URL: origin, PAYMENTS: 'test', DEMO_MODE: 'off', TRUST_PROXY: '1' },
    stop: () => nginx.kill(),
  };
}
