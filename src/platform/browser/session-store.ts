import type * as z from 'zod/mini';
import type { Schema } from '../contract.ts';
import { parseJson } from '../schema.ts';

const withoutStorage = new Map<string, string>();

/** JSON in this tab's sessionStorage; where that is forbidden, it lasts as long as the page. */
export const sessionStore = {
  set(key: string, value: unknown): void {
    const json = JSON.stringify(value);
    try {
      sessionStorage.setItem(key, json);
    } catch {
      withoutStorage.set(key, json);
    }
  },

  /** Null for a missing value, and for one of another version's schema. */
  get<Value extends Schema>(key: string, schema: Value): z.output<Value> | null {
    let json = withoutStorage.get(key);
    try {
      json = sessionStorage.getItem(key) ?? json;
    } catch {
      // Storage is forbidden.
    }
    return schema.safeParse(parseJson(json ?? '')).data ?? null;
  },

  remove(key: string): void {
    withoutStorage.delete(key);
    try {
      sessionStorage.removeItem(key);
    } catch {
      // Storage is forbidden.
    }
  },
};
