/**
 * What this tab remembers through moves and reloads and forgets when it is closed. Where the browser
 * forbids storage it is remembered until the document is left.
 */
const withoutStorage = new Map<string, string>();

export function remember(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    sessionStorage.setItem(key, text);
  } catch {
    withoutStorage.set(key, text);
  }
}

/** What `remember` was given last under this key, or null. */
export function recall<Value>(key: string): Value | null {
  const text = read(key);
  return text === null ? null : JSON.parse(text);
}

export function forget(key: string): void {
  withoutStorage.delete(key);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // There is no storage to forget from.
  }
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key) ?? withoutStorage.get(key) ?? null;
  } catch {
    return withoutStorage.get(key) ?? null;
  }
}
