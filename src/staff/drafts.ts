/**
 * What a member of staff has typed and not sent, until they sign out: in a thread, kept in this
 * browser for a week; in a quote, kept in this tab.
 */
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { localStore, sessionStore, sharedFlag } from '../platform/browser/browser-storage.ts';
import { randomId } from '../platform/fetch-call.ts';
import { rowId } from '../platform/schema.ts';
import { DAY_MS } from '../platform/time.ts';

const draft = z.object({
  text: z.string(),
  /** The newest entry when the writing began: the writer is asked about an answer since. */
  after: rowId,
  /** The keys of the requests that send this text, so that a repeated one adds nothing. */
  keys: z.object({ staff: z.uuid(), note: z.uuid() }),
  at: z.number(),
});
export type AnswerDraft = z.output<typeof draft>;

const PREFIX = 'draft:';

/** Another tab's changes are not taken over: that would change what is being typed. */
const drafts = new Map<string, AnswerDraft | null>();
const listeners = new Set<() => void>();

export function useDraft(username: string, thread: number): AnswerDraft | null {
  return useSyncExternalStore(subscribe, () => readDraft(username, thread));
}

export function readDraft(username: string, thread: number): AnswerDraft | null {
  const key = keyOf(username, thread);
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const kept = localStore.get(key, draft);
  drafts.set(key, kept);
  return kept;
}

/** `after`: the newest entry now. Empty text forgets the draft. */
export function writeDraft(username: string, thread: number, text: string, after: number): void {
  const key = keyOf(username, thread);
  const began = readDraft(username, thread)?.after ?? after;
  const keys = { staff: randomId(), note: randomId() };
  const next = text ? { text, after: began, keys, at: Date.now() } : null;
  drafts.set(key, next);
  if (next) localStore.set(key, next);
  else localStore.remove(key);
  for (const listener of listeners) listener();
}

/** Of an erased thread: the text can still be copied from the screen that shows it. */
export function forgetKeptDraft(username: string, thread: number): void {
  const key = keyOf(username, thread);
  drafts.set(key, readDraft(username, thread));
  localStore.remove(key);
}

/** The threads in which this user has a draft. */
export function draftedThreads(username: string): number[] {
  const prefix = keyOf(username, '');
  return keptDrafts().flatMap((key) =>
    key.startsWith(prefix) ? Number(key.slice(prefix.length)) : [],
  );
}

/** Those of every user, untouched for a week. */
export function forgetOldDrafts(): void {
  const since = Date.now() - 7 * DAY_MS;
  for (const key of keptDrafts())
    if ((localStore.get(key, draft)?.at ?? 0) <= since) localStore.remove(key);
}

/** What another tab has forgotten is to be found in none. */
export function rereadDrafts(): void {
  drafts.clear();
}

const signedOut = sharedFlag('signed-out');

/** Those of every user: the next one at this computer is to find none. */
export function forgetDrafts(): void {
  rereadDrafts();
  quoteDraft.forget();
  for (const key of keptDrafts()) localStore.remove(key);
  for (const value of [true, false]) signedOut.set(value);
}

/** Forgets what this tab keeps alone when another one signs out. Returns what ends that. */
export const followSignOut = () => signedOut.onChange(() => quoteDraft.forget());

const quoteEntries = z.object({ about: z.string(), fields: z.string() });
const QUOTE = 'quote-draft';

/** One at a time. `about`: by whom, and for whom. */
export const quoteDraft = {
  keep(about: string, form: FormData): void {
    const fields = [...form].map(([name, value]) => [name, `${value}`]);
    sessionStore.set(QUOTE, { about, fields: `${new URLSearchParams(fields)}` });
  },
  read(about: string): URLSearchParams | null {
    const kept = sessionStore.get(QUOTE, quoteEntries);
    return kept?.about === about ? new URLSearchParams(kept.fields) : null;
  },
  forget: () => sessionStore.remove(QUOTE),
};

function keptDrafts(): string[] {
  return localStore.keys().filter((key) => key.startsWith(PREFIX));
}

function keyOf(username: string, thread: number | ''): string {
  return `${PREFIX}${username}:${thread}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
