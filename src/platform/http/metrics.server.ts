/** Figures for Prometheus at /metrics. Loaded, with its library, only when METRICS_TOKEN is set. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isDatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { eventCounts } from '../log.server.ts';
import { refuse } from './answer.server.ts';
import type { App } from './call.server.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface Watched {
  isReady(): Promise<boolean>;
  openStreams(): Record<'staff' | 'visitor', number>;
  /** What the site depends on and has not worked for long. */
  faults(): Promise<{ what: string }[]>;
  /** When the newest copy of the database was made; undefined without one. */
  copiedAt(): number | undefined;
  /** What is due and not delivered. `oldest`: since when, in milliseconds. */
  outbox(): Promise<{ channel: string; state: string; count: number; oldest: number | null }[]>;
}

const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const QUERY_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
/** A request can name any; labels must be few. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The other figures say that the database is down. */
function unlessDown(error: unknown): [] {
  if (isDatabaseUnavailable(error)) return [];
  throw error;
}

export function createMetrics(token: string) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'site_http_request_duration_seconds',
    help: 'Requests by the route that answered, and the time until the last byte of the answer was handed to the network; of a stream, the first',
    labelNames: ['route', 'method', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const querySeconds = new Histogram({
    name: 'site_database_query_duration_seconds',
    help: 'Time that the database took for a query, by whether it failed',
    labelNames: ['failed'],
    buckets: QUERY_SECONDS,
    registers,
  });
  new Counter({
    name: 'site_log_events_total',
    help: "Events of the server's log, failures of providers among them, also those whose lines were suppressed",
    labelNames: ['event', 'level'],
    registers,
    collect() {
      this.reset();
      for (const { event, level, count } of eventCounts.values()) this.inc({ event, level }, count);
    },
  });

  function watch({ isReady, openStreams, outbox, faults, copiedAt }: Watched): void {
    new Gauge({
      name: 'site_ready',
      help: 'Whether an order could be stored (1), as /readyz says',
      registers,
      async collect() {
        this.set((await isReady()) ? 1 : 0);
      },
    });
    new Gauge({
      name: 'site_streams',
      help: 'Open streams of events, by who reads them',
      labelNames: ['reader'],
      registers,
      collect() {
        for (const [reader, count] of Object.entries(openStreams())) this.set({ reader }, count);
      },
    });
    new Gauge({
      name: 'site_faults',
      help: 'What the site depends on and staff must mend, such as mail (1)',
      labelNames: ['what'],
      registers,
      async collect() {
        this.reset();
        for (const { what } of await faults().catch(unlessDown)) this.set({ what }, 1);
      },
    });
    new Gauge({
      name: 'site_backup_age_seconds',
      help: 'Age of the newest copy in BACKUP_DIR',
      registers,
      collect() {
        const at = copiedAt();
        if (at === undefined) this.remove();
        else this.set((Date.now() - at) / 1000);
      },
    });
    const deliveries = new Gauge({
      name: 'site_outbox_deliveries',
      help: 'Notifications that are due and not delivered, of all instances on the database',
      labelNames: ['channel', 'state'],
      registers,
    });
    new Gauge({
      name: 'site_outbox_oldest_seconds',
      help: 'Age of the oldest notification that is due and not delivered',
      labelNames: ['channel', 'state'],
      registers,
      async collect() {
        this.reset();
        deliveries.reset();
        const open = await outbox().catch(unlessDown);
        for (const { channel, state, count, oldest } of open) {
          deliveries.set({ channel, state }, count);
          this.set({ channel, state }, oldest === null ? 0 : (Date.now() - oldest) / 1000);
        }
      },
    });
  }

  const digest = (text: string) => createHash('sha256').update(text).digest();
  const authorization = digest(`Bearer ${token}`);
  return {
    watch,
    /** `route`: the pattern of the path that answered, never a stranger's text. */
    countRequest(route: string, method: string, status: number, seconds: number): void {
      const known = METHODS.has(method) ? method : 'other';
      requestSeconds.observe({ route, method: known, status }, seconds);
    },
    /** Kysely's log. */
    countQuery({ level, queryDurationMillis }: { level: string; queryDurationMillis: number }) {
      querySeconds.observe({ failed: String(level === 'error') }, queryDurationMillis / 1000);
    },
    routes(app: App, headers: Record<string, string>): void {
      app.get('/metrics', async ({ req, body }) => {
        const isOperator = timingSafeEqual(
          digest(req.header('Authorization') ?? ''),
          authorization,
        );
        if (!isOperator)
          return refuse(401, 'This needs the token of METRICS_TOKEN', {
            headers: { ...headers, 'WWW-Authenticate': 'Bearer' },
          });
        return body(await registry.metrics(), 200, {
          ...headers,
          'Content-Type': registry.contentType,
        });
      });
    },
  };
}
