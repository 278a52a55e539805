/** How many emails strangers have caused for each mailbox within a day: anybody can type anybody's address. */
import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from './database/tables.server.ts';

type Db = Kysely<Tables>;

const MAILS_A_DAY = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

declare module './database/tables.server.ts' {
  interface Tables {
    mailRecipients: MailRecipientTable;
  }
}

interface MailRecipientTable {
  /** In small letters, without what may follow a '+': mail services deliver 'jane+1@' to 'jane@'. */
  email: string;
  /** When the day that is counted began, in milliseconds. */
  since: number;
  mails: number;
}

function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+.*@/, '@');
}

/** Transactions that cause something for the same mailbox wait here for each other, so that what they count is right. */
export function lockRecipient(trx: Db, email: string): Promise<Row<'mailRecipients'>> {
  const now = Date.now();
  const isOver = sql`${sql.ref('mailRecipients.since')} < ${now - DAY_MS}`;
  return trx
    .insertInto('mailRecipients')
    .values({ email: mailboxOf(email), since: now, mails: 0 })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({
        since: sql`case when ${isOver} then excluded.since else ${sql.ref('mailRecipients.since')} end`,
        mails: sql`case when ${isOver} then 0 else ${sql.ref('mailRecipients.mails')} end`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts one email more; false when the mailbox has had its share of the day. */
export async function countMail(trx: Db, email: string): Promise<boolean> {
  const { mails, email: recipient } = await lockRecipient(trx, email);
  if (mails >= MAILS_A_DAY) return false;
  await trx
    .updateTable('mailRecipients')
    .set({ mails: mails + 1 })
    .where('email', '=', recipient)
    .execute();
  return true;
}

export async function forgetRecipient(trx: Db, email: string): Promise<void> {
  await trx.deleteFrom('mailRecipients').where('email', '=', mailboxOf(email)).execute();
}

export async function forgetOldRecipients(db: Db): Promise<void> {
  await db
    .deleteFrom('mailRecipients')
    .where('since', '<', Date.now() - DAY_MS)
    .execute();
}
