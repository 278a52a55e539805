/** Messages of the contact form, as they are answered, with what is stored besides. */
import type { Generated } from 'kysely';
import type { ContactJson } from './contact-message.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    contactSubmissions: ContactSubmissionTable;
  }
}

interface ContactSubmissionTable extends Omit<ContactJson, 'id' | 'createdAt'> {
  id: Generated<number>;
  /** new, answered or spam. */
  mark: string;
  createdAt: number;
}
