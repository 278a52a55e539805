type FaultKind =
  /** Fails before execution: the same key may succeed later. */
  | 'status-500'
  /** Fails while executing: Stripe keeps that 500 and replays it to the same key. */
  | 'status-500-kept'
  /** What stands in front of Stripe's servers fails, and not in JSON: nothing was executed. */
  | 'status-502'
  /** Executes nothing and never answers. */
  | 'timeout'
  /** Cuts the connection before execution. */
  | 'reset'
  /** Executes, keeps the idempotent result, then cuts the connection. */
  | 'reset-after-execution'
  /** Waits `ms` (1,000 by default) with the key in flight, then executes. */
  | 'slow';

export interface Fault {
  how: FaultKind;
  /** A whole path, or a pattern. */
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

  /** The first fault that fits, counted as used. */
  take(method: string, path: string): Fault | undefined {
    const fits = ({ fault }: { fault: Fault }): boolean =>
      (fault.method === undefined || fault.method.toUpperCase() === method) &&
      (fault.path === undefined ||
        (typeof fault.path === 'string' ? fault.path === path : fault.path.test(path)));
    const found = this.#pending.find(fits);
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#pending = this.#pending.filter((entry) => entry !== found);
    return found.fault;
  }
}
