import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** Until the check passes. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 });
}
