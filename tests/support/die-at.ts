/**
 * Loaded into a server process before its own code: kills it at its n-th step of the payment story, a step being
 * a statement about orders or payments, a request to Stripe, or the arrival of Stripe's answer. Counting begins
 * with the request that says so, after whatever earlier deaths have left over. Another variable sets its clock ahead.
 */
import { subscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import net from 'node:net';
import { DatabaseSync } from 'node:sqlite';

const dieAt = Number(process.env.DIE_AT ?? 0);
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);

if (ahead > 0) {
  const now = Date.now.bind(Date);
  Date.now = () => now() + ahead;
}

let steps = 0;
let counting = false;
/** Whether the transaction under way is one of the story's. */
let concerned = false;

function step(): void {
  if (!counting) return;
  steps += 1;
  if (steps === dieAt) process.kill(process.pid, 'SIGKILL');
}

const STORY =
  /(quote(s|Links)|order(s|Statuses|Invoices|Charges|Access|Notes|Changes)|stripe(Events|Customers)|test(Payments|Subscriptions|Changes|Clock))"/;

function statement(sql: string): void {
  if (STORY.test(sql)) {
    concerned = true;
    step();
  } else if (/\bcommit\b/i.test(sql)) {
    if (concerned) step();
    concerned = false;
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

  // A statement travels to PostgreSQL as text once for each name, and is then executed by it.
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

  const ask = http.request;
  http.request = ((...parameters: Parameters<typeof ask>) => {
    step();
    return ask(...parameters).prependListener('response', step);
  }) as typeof ask;
}
