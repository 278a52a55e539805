/** The tables of threads and their entries, and the queries that several features share. */
import type { Generated } from 'kysely';
import type { EntryKind, ThreadKind, ThreadMark } from './thread.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    threads: {
      id: Generated<number>;
      kind: ThreadKind;
      name: string | null;
      email: string | null;
      phone: string | null;
      service: string | null;
      mark: ThreadMark;
      /** The user name of the colleague who looks after it. */
      owner: string | null;
      /** The SHA-256 of the `chat` cookie of the browser that may read it. Null for a contact message, and once it has ended. */
      keyHash: string | null;
      endedAt: number | null;
      createdAt: number;
      /** The time of its newest message or answer. */
      lastAt: number;
      /** When anything about it changed last: readers of events look here. */
      changedAt: number;
    };
    entries: {
      id: Generated<number>;
      threadId: number;
      kind: EntryKind;
      text: string;
      /** The name of the colleague; null for the visitor and the site. */
      author: string | null;
      /** An answer counts, and leaves, from this time: until then staff can undo it and the visitor does not see it. */
      at: number;
      /** When the visitor's panel showed an answer. */
      seenAt: number | null;
      /** The request that brought it, so that a repeated one adds nothing. */
      requestKey: string | null;
    };
  }
}
