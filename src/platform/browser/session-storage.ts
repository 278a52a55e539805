/**
 * What this tab remembers through moves and reloads and forgets when it is closed. Where the browser
 * forbids storage it is remembered until the document is left.
 */
import { parseJson, type Reader } from '../old/read.ts';

const withoutStorage = new Map<string, string>();

export function remember(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    sessionStorage.setItem(key, text);
  } catch {
    withoutStorage.set(key, text);
  }
}

/** What `remember` was given last under this key; null for nothing, and for what an older version or a hand has left there. */
export function recall<Value>(key: string, read: Reader<Value>): Value | null {
  return read(parseJson(stored(key) ?? '')) ?? null;
}

export function forget(key: string): void {
  withoutStorage.delete(key);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // There is no storage to forget from.
  }
}

function stored(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? withoutStorage.get(key);
  } catch {
    return withoutStorage.get(key);
  }
}
