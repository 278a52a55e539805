/** Figures of this process for a scraper, in Prometheus' text format (0.0.4). */
import type { AccessLog } from './access-log.server.ts';
import type { AccessRecord } from './access-record.server.ts';

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts on the way of every request: additions only. */
export class RequestMetrics {
  readonly #byStatus = new Map<number, number>();
  readonly #durations = new Float64Array(BOUNDS.length + 1);
  #seconds = 0;
  #bytes = 0;

  readonly count = ({ status, durationUs, bytes }: AccessRecord): void => {
    const seconds = durationUs / 1e6;
    const place = BOUNDS.findIndex((bound) => seconds <= bound);
    const slot = place < 0 ? BOUNDS.length : place;
    this.#durations[slot] = (this.#durations[slot] ?? 0) + 1;
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
    this.#seconds += seconds;
    this.#bytes += bytes;
  };

  text(log: Pick<AccessLog, 'counters' | 'waiting'>): string {
    const memory = process.memoryUsage();
    const cpu = process.cpuUsage();
    return [
      metric(
        'http_requests_total',
        'counter',
        'Requests answered, by status.',
        [...this.#byStatus].map(([status, count]) => [`{status="${status}"}`, count]),
      ),
      metric(
        'http_request_duration_seconds',
        'histogram',
        'Time until the answer had left.',
        this.#histogram(),
      ),
      counter('http_response_body_bytes_total', 'Bytes of bodies sent.', this.#bytes),
      counter(
        'access_log_stored_total',
        'Requests written to the access log.',
        log.counters.stored,
      ),
      counter(
        'access_log_dropped_total',
        'Requests that were only counted, because the database was away.',
        log.counters.dropped,
      ),
      gauge('access_log_waiting', 'Requests waiting to be written.', log.waiting),
      counter('process_cpu_seconds_total', 'Processor time used.', (cpu.user + cpu.system) / 1e6),
      gauge('process_resident_memory_bytes', 'Memory held.', memory.rss),
      gauge('nodejs_heap_used_bytes', 'Memory used by objects.', memory.heapUsed),
      gauge('process_start_time_seconds', 'When the process began.', performance.timeOrigin / 1000),
    ].join('');
  }

  #histogram(): Sample[] {
    let sum = 0;
    const buckets = [...this.#durations].map((count, index): Sample => {
      sum += count;
      return [`_bucket{le="${BOUNDS[index] ?? '+Inf'}"}`, sum];
    });
    return [...buckets, ['_sum', this.#seconds], ['_count', sum]];
  }
}

/** What follows the metric's name, and the value. */
type Sample = [suffix: string, value: number];

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([suffix, value]) => `${name}${suffix} ${value}\n`).join('');
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
}

const counter = (name: string, help: string, value: number) =>
  metric(name, 'counter', help, [['', value]]);

const gauge = (name: string, help: string, value: number) =>
  metric(name, 'gauge', help, [['', value]]);
