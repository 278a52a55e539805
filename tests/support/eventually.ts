import { vi } from 'vitest';
import { TIMEOUT_MS } from './test-plan.ts';

/** Repeats the check until it passes. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: TIMEOUT_MS, interval: 50 });
}
