/** Messages of the contact form. */
import type { Generated } from 'kysely';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    contactSubmissions: ContactSubmissionTable;
  }
}

interface ContactSubmissionTable {
  id: Generated<number>;
  name: string;
  email: string;
  phone: string | null;
  service: string | null;
  message: string;
  /** new, answered or spam. */
  mark: string;
  createdAt: number;
}
