import type * as z from 'zod/mini';
import type { Schema } from '../contract.ts';

/**
 * JSON by key. What the browser refuses to store lasts as long as the page. Imports no library: it
 * is part of the shell.
 */
function browserStore(storage: () => Storage) {
  const refused = new Map<string, string>();
  return {
    set(key: string, value: unknown): void {
      const json = JSON.stringify(value);
      refused.delete(key);
      try {
        storage().setItem(key, json);
      } catch {
        refused.set(key, json);
      }
    },

    /** Null for a missing value, and for one that is no JSON. */
    read(key: string): unknown {
      try {
        return JSON.parse(refused.get(key) ?? storage().getItem(key) ?? 'null');
      } catch {
        // Not JSON, or storage is forbidden.
        return null;
      }
    },

    /** Null for a missing value, and for one of another version's schema. */
    get<Value extends Schema>(key: string, schema: Value): z.output<Value> | null {
      return schema.safeParse(this.read(key)).data ?? null;
    },

    remove(key: string): void {
      refused.delete(key);
      try {
        storage().removeItem(key);
      } catch {
        // Storage is forbidden.
      }
    },

    keys(): string[] {
      try {
        return Object.keys(storage());
      } catch {
        return [];
      }
    },
  };
}

/** Of this tab. */
export const sessionStore = browserStore(() => sessionStorage);
/** Of all tabs. */
export const localStore = browserStore(() => localStorage);

/** A flag that all tabs share. */
export function sharedFlag(name: string) {
  return {
    isSet: () => localStore.read(name) === true,
    set: (value: boolean) => (value ? localStore.set(name, true) : localStore.remove(name)),
    /** Calls the listener when another tab has changed it. Returns what ends that. */
    onChange(listener: () => void): () => void {
      const onStorage = ({ key }: StorageEvent) => {
        if (key === name || key === null) listener();
      };
      addEventListener('storage', onStorage);
      return () => removeEventListener('storage', onStorage);
    },
  };
}
