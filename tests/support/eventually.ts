import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** Repeats the check until it passes. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 });
}
