import { vi } from 'vitest';

/** Until the check passes, as long as a busy machine may take. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 30_000, interval: 50 });
}
