/** Failures that a test injects into API requests. */
type FaultKind =
  /** Fails before execution: a retry with the same key may succeed. */
  | 'status-500'
  /** Fails during execution: Stripe keeps the 500 and replays it for the same key. */
  | 'status-500-kept'
  /** A proxy in front of Stripe answers in HTML: nothing is executed. */
  | 'status-502'
  /** Never answers, and executes nothing. */
  | 'timeout'
  /** Closes the connection before execution. */
  | 'reset'
  /** Executes, keeps the idempotent result, then closes the connection. */
  | 'reset-after-execution'
  /** Waits `ms` (1,000 by default) with the key in flight, then executes. */
  | 'slow';

export interface Fault {
  how: FaultKind;
  /** The full path, or a pattern. */
  path?: string | RegExp;
  method?: string;
  ms?: number;
  /** 1 by default. */
  times?: number;
}

export class Faults {
  #pending: { fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#pending.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#pending = [];
  }

  /** Finds the first matching fault and uses it up by one. */
  take(method: string, path: string): Fault | undefined {
    const matches = ({ fault }: { fault: Fault }): boolean =>
      (fault.method === undefined || fault.method.toUpperCase() === method) &&
      (fault.path === undefined ||
        (typeof fault.path === 'string' ? fault.path === path : fault.path.test(path)));
    const found = this.#pending.find(matches);
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#pending = this.#pending.filter((entry) => entry !== found);
    return found.fault;
  }
}
