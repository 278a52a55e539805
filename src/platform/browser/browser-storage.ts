import * as z from 'zod/mini';
import type { Schema } from '../contract.ts';
import { parseJson } from '../schema.ts';

/** JSON by key. What the browser refuses to store lasts as long as the page. */
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

    /** Null for a missing value, and for one of another version's schema. */
    get<Value extends Schema>(key: string, schema: Value): z.output<Value> | null {
      let json = refused.get(key);
      try {
        json ??= storage().getItem(key) ?? '';
      } catch {
        // Storage is forbidden.
      }
      return schema.safeParse(parseJson(json ?? '')).data ?? null;
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
    isSet: () => localStore.get(name, z.literal(true)) !== null,
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
