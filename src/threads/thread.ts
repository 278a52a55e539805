/** A thread: what a visitor wrote in the contact form or the chat, and everything that followed. */

export const THREAD_KINDS = ['contact', 'chat'] as const;
export type ThreadKind = (typeof THREAD_KINDS)[number];

/** What staff, or the spam filter, made of a thread. */
export const STAFF_STATUSES = ['new', 'answered', 'spam'] as const;
/** 'waiting': the visitor has written since staff answered. Only a message sets it. */
export const THREAD_STATUSES = ['new', 'waiting', 'answered', 'spam'] as const;
export type StaffStatus = (typeof STAFF_STATUSES)[number];
export type ThreadStatus = (typeof THREAD_STATUSES)[number];

/** 'answered-by-mail': from staff's own mailbox. 'full': the visitor goes on in another one. */
const EVENT_KINDS = [
  'marked',
  'assigned',
  'released',
  'answered-by-mail',
  'address-changed',
  'readdressed',
  'ended',
  'full',
] as const;
/**
 * 'reply' is the automatic reply, 'staff' an answer; a 'note' is for colleagues only.
 * 'third-party': a reply by mail from another address than the thread's.
 */
const WRITTEN_KINDS = ['visitor', 'third-party', 'reply', 'staff', 'note'] as const;
export type EntryKind = (typeof WRITTEN_KINDS)[number] | (typeof EVENT_KINDS)[number];
/** As staff's screens know them: an event is a line of words. */
export const SHOWN_KINDS = [...WRITTEN_KINDS, 'event'] as const;

/** Whether staff answered, here or from their own mailbox. */
export const ANSWER_KINDS = ['staff', 'answered-by-mail'] as const satisfies EntryKind[];

/** How long staff can undo an answer. */
export const UNDO_MS = 10_000;
/** An answer that an open panel has not shown for so long is mailed as well. */
export const SHOWN_WITHIN_MS = 60_000;
/** An open panel says so every 10 s, from a hidden page every 30 s. */
export const WATCHED_MS = 35_000;
