/** A thread: what a visitor wrote in the contact form or the chat, and everything that followed. */

export const THREAD_KINDS = ['contact', 'chat'] as const;
export type ThreadKind = (typeof THREAD_KINDS)[number];

/** What staff, or the spam filter, made of a thread. */
export const MARKS = ['new', 'answered', 'spam'] as const;
/** 'waiting': the visitor has written since staff answered. Only a message sets it. */
export const THREAD_MARKS = ['new', 'waiting', 'answered', 'spam'] as const;
export type Mark = (typeof MARKS)[number];
export type ThreadMark = (typeof THREAD_MARKS)[number];

/**
 * 'visitor' wrote it, 'reply' is the automatic reply, 'staff' an answer, 'note' is for colleagues only, and 'event' says
 * what happened (marked, assigned, ended).
 */
export const ENTRY_KINDS = ['visitor', 'reply', 'staff', 'note', 'event'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** How long staff can undo an answer. */
export const UNDO_MS = 10_000;
/** An answer that no open panel has shown for so long is mailed as well. */
export const SHOWN_WITHIN_MS = 60_000;
