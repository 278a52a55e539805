/** Threads that 'Show new' has brought, and that nobody has opened in this browser yet. */
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { localStore } from '../platform/browser/browser-storage.ts';
import { rowId } from '../platform/schema.ts';

const KEY = 'fresh-threads';
/** The newest; more are no news. */
const MAX_FRESH = 50;

let fresh: readonly number[] | undefined;
const listeners = new Set<() => void>();

function readFresh(): readonly number[] {
  fresh ??= localStore.get(KEY, z.array(rowId)) ?? [];
  return fresh;
}

function setFresh(ids: readonly number[]): void {
  fresh = ids;
  localStore.set(KEY, ids);
  for (const listener of listeners) listener();
}

export function addFresh(ids: readonly number[]): void {
  setFresh([...new Set([...readFresh(), ...ids])].slice(-MAX_FRESH));
}

export function forgetFresh(opened: number): void {
  if (readFresh().includes(opened)) setFresh(readFresh().filter((id) => id !== opened));
}

export function useFresh(): readonly number[] {
  return useSyncExternalStore(subscribe, readFresh);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
