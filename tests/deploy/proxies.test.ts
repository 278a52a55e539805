/** A proxy that guards staff's calls guards all: no path has a second spelling. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { sendRaw } from '../support/raw-request.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { otherSpellings } from '../support/spellings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn } from '../support/visitor.ts';

interface Proxy {
  command: string;
  args(file: string): string[];
  config(port: number, site: string, folder: string): string;
}

const PROXIES: Record<string, Proxy> = {
  nginx: {
    command: 'nginx',
    args: (file) => ['-c', file, '-e', 'stderr'],
    config: (port, site, folder) => `
      daemon off;
      pid ${folder}/nginx.pid;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
        server {
          listen 127.0.0.1:${port};
          location /api/admin { return 403; }
          location / {
            proxy_pass http://${site};
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          }
        }
      }`,
  },
  HAProxy: {
    command: 'haproxy',
    args: (file) => ['-db', '-f', file],
    config: (port, site) => `
      defaults
        mode http
        option forwardfor
        timeout connect 5s
        timeout client 30s
        timeout server 30s
      frontend visitors
        bind 127.0.0.1:${port}
        http-request deny if { path_beg /api/admin }
        default_backend site
      backend site
        server site ${site}
`,
  },
  Caddy: {
    command: 'caddy',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    config: (port, site) => `
      {
        admin off
      }
      http://127.0.0.1:${port} {
        @staff path /api/admin*
        respond @staff 403
        reverse_proxy ${site}
      }
`,
  },
};

const isInstalled = ({ command }: Proxy) => !spawnSync(command, ['--help']).error;

describe.each(Object.entries(PROXIES).filter(([, proxy]) => isInstalled(proxy)))(
  'behind %s with a rule for /api/admin',
  (_, { command, args, config }) => {
    let server: RunningProcess;
    let proxy: ChildProcess;
    let origin: string;
    let cookie: string;
    beforeAll(async () => {
      const folder = temporaryFolder();
      server = await startServer({ DATA_DIR: join(folder, 'data') });
      const staff = await signedIn(server.address);
      cookie = `session=${staff.cookies.get('session')}`;
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      const file = join(folder, 'proxy.conf');
      writeFileSync(file, config(port, new URL(server.address).host, folder));
      const env = { ...process.env, HOME: folder };
      proxy = spawn(command, args(file), { stdio: 'ignore', env });
      await eventually(async () => expect(await statusOf('GET', '/api/plans')).toBe(200));
    });
    afterAll(async () => {
      proxy?.kill();
      await server?.stop();
    });

    /** With a session, so that whatever reaches a call is answered 200. */
    async function statusOf(method: string, path: string): Promise<number> {
      const { host } = new URL(origin);
      const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nConnection: close`;
      return (await sendRaw(origin, `${head}\r\n\r\n`)).status;
    }

    test('no spelling of a staff’s call passes the rule and reaches the call', async () => {
      const call = '/api/admin/contacts';
      for (const path of [call, `${origin}${call}`, ...otherSpellings(call)])
        for (const method of ['GET', 'HEAD'])
          expect([400, 403, 404], `${method} ${path}`).toContain(await statusOf(method, path));
      expect(await statusOf('GET', call)).toBe(403);
    });
  },
);
