import { spawn } from 'node:child_process';
import pg from 'pg';
import setup from '../support/postgres-cluster.ts';

let url = '';
const stop = await setup({
  provide: (_: string, value: string) => {
    url = value;
  },
} as never);
for (const name of ['kills']) {
  const c = new pg.Client({ connectionString: url });
  await c.connect();
  await c.query(`CREATE DATABASE ${name}`);
  await c.end();
}
const u = new URL(url);
u.pathname = '/kills';
const child = spawn(process.execPath, ['tests/endurance/outbox.ts'], {
  env: { ...process.env, DATABASE_URL: u.href },
  stdio: 'inherit',
});
child.on('exit', (code) => {
  console.log('exit', code);
  stop();
});
