/**
 * What this tab keeps through moves and reloads until it is closed. Where the browser forbids storage it is kept until
 * the document is left.
 */
import type * as z from 'zod/mini';
import { parseJson } from '../schema.ts';

const withoutStorage = new Map<string, string>();

export const sessionStore = {
  /** What was set last under this key; null for nothing, and for what an older version or a hand has left there. */
  get<Value>(key: string, schema: z.ZodMiniType<Value>): Value | null {
    return schema.safeParse(parseJson(stored(key) ?? '')).data ?? null;
  },
  set(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    try {
      sessionStorage.setItem(key, text);
    } catch {
      withoutStorage.set(key, text);
    }
  },
  remove(key: string): void {
    withoutStorage.delete(key);
    try {
      sessionStorage.removeItem(key);
    } catch {
      // There is no storage to remove it from.
    }
  },
};

function stored(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? withoutStorage.get(key);
  } catch {
    return withoutStorage.get(key);
  }
}
