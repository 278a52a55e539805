/**
 * Preloaded into a process to kill it at the step number DIE_AT. A step is an SQL statement about
 * orders, quotes or payments, a commit of such statements, a request to Stripe, or Stripe's answer.
 * Counting starts with the first request that has the header X-Count-Steps, so that work left over
 * from earlier kills is not counted. CLOCK_AHEAD_MS sets the server's clock ahead. DIE_AT_LINE
 * kills a command when it is about to print this line.
 */
import { subscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import net from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import type { Tables } from '../../src/platform/database/tables.server.ts';

const dieAt = Number(process.env.DIE_AT ?? 0);
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);

if (ahead > 0) {
  const now = Date.now.bind(Date);
  Date.now = () => now() + ahead;
}

const dieAtLine = process.env.DIE_AT_LINE;
if (dieAtLine !== undefined) {
  const { log } = console;
  console.log = (line) => {
    if (line === dieAtLine) process.kill(process.pid, 'SIGKILL');
    log(line);
  };
}

let steps = 0;
let counting = false;
/** Whether the current transaction has had a counted statement, so that its commit counts, too. */
let inCountedTransaction = false;

function step(): void {
  if (!counting) return;
  steps += 1;
  if (steps === dieAt) process.kill(process.pid, 'SIGKILL');
}

const TABLES: readonly (keyof Tables)[] = [
  'quotes',
  'quoteLinks',
  'orders',
  'subscriptions',
  'orderEvents',
  'invoices',
  'charges',
  'orderAccess',
  'orderAccessLinks',
  'providerEvents',
  'testPayments',
];
const COUNTED = new RegExp(`"(${TABLES.join('|')})"`);

function statement(sql: string): void {
  if (COUNTED.test(sql)) {
    inCountedTransaction = true;
    step();
  } else if (/\bcommit\b/i.test(sql)) {
    if (inCountedTransaction) step();
    inCountedTransaction = false;
  }
}

if (dieAt > 0) {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: http.IncomingMessage };
    counting ||= request.headers['x-count-steps'] !== undefined;
  });

  const prepare = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.prepare = function (sql) {
    const prepared = prepare.call(this, sql);
    for (const name of ['run', 'all', 'iterate'] as const) {
      const execute = prepared[name].bind(prepared);
      Object.defineProperty(prepared, name, {
        value: (...parameters: []) => {
          statement(sql);
          return execute(...parameters);
        },
      });
    }
    return prepared;
  };

  // pg sends a prepared statement's text once (Parse), and then only its name (Bind).
  const texts = new Map<string | undefined, string>();
  const send = net.Socket.prototype.write;
  net.Socket.prototype.write = function (this: net.Socket, ...sent: Parameters<typeof send>) {
    const [bytes] = sent;
    if (process.env.DATABASE_URL && typeof bytes !== 'string') {
      const message = Buffer.from(bytes).toString('latin1');
      const [first, second = ''] = message.slice(5).split('\0');
      if (message.startsWith('P')) texts.set(first, second);
      else statement(message.startsWith('B') ? (texts.get(second) ?? '') : message);
    }
    return send.apply(this, sent);
  } as typeof send;

  // Node's fetch publishes these when it sends a request, and when a response begins.
  subscribe('undici:request:create', step);
  subscribe('undici:request:headers', step);
}
