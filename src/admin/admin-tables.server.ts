/** Who of staff may enter, who is in, and what happened at the door. */
import type { Generated } from 'kysely';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    users: UserTable;
    sessions: SessionTable;
    signInFailures: SignInFailureTable;
    audit: AuditTable;
  }
}

interface UserTable {
  id: Generated<number>;
  username: string;
  passwordHash: string;
  /** The hash of the environment's password that was taken over last, whatever password holds now. */
  environmentHash: string | null;
}

interface SessionTable {
  tokenHash: string;
  userId: number;
  createdAt: number;
  lastSeenAt: number;
  /** Where it was opened: a shortened address, and the browser's own name for itself. */
  address: string;
  userAgent: string;
}

/** Failed sign-ins of those who share a bucket, since the first of the last 15 minutes. */
interface SignInFailureTable {
  bucket: number;
  since: number;
  failures: number;
}

/** What happened at the staff's door. */
interface AuditTable {
  id: Generated<number>;
  at: number;
  kind: string;
  username: string;
  address: string;
  detail: string;
}
