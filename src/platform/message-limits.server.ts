/** Daily limits on the mail that strangers can cause to one mailbox. */
import { domainToASCII } from 'node:url';
import type { Generated } from 'kysely';
import { DAILY_MAILS } from '../limits.ts';
import { deleteOlder } from './database/queries.server.ts';
import type { Db, Row } from './database/tables.server.ts';
import { DAY_MS } from './time.ts';

declare module './database/tables.server.ts' {
  interface Tables {
    mailRecipients: {
      /** A result of `mailboxOf`. */
      email: string;
      /** When the counted day began, in milliseconds. */
      since: number;
      mails: Generated<number>;
    };
  }
}

/** Two names of one service, which ignores dots before the @. */
const GMAIL = ['gmail.com', 'googlemail.com'];

/** One key for all spellings of one mailbox: case, 'jane+1@', a Punycode domain, Gmail's dots. */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [name = ''] = local.split('+');
  const host = domainToASCII(domain) || domain;
  return GMAIL.includes(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
}

/** Locks the mailbox's row until the transaction ends, so that counts are right. */
export async function lockMailbox(trx: Db, email: string): Promise<Row<'mailRecipients'>> {
  const mailbox = mailboxOf(email);
  const since = Date.now();
  await trx
    .deleteFrom('mailRecipients')
    .where('email', '=', mailbox)
    .where('since', '<=', since - DAY_MS)
    .execute();
  return trx
    .insertInto('mailRecipients')
    .values({ email: mailbox, since })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ email: mailbox }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether the day's limit is reached, by reading alone: what is refused must not write. */
export async function isOverMailboxLimit(db: Db, address: string): Promise<boolean> {
  const counted = await db
    .selectFrom('mailRecipients')
    .select('mails')
    .where('email', '=', mailboxOf(address))
    .where('since', '>', Date.now() - DAY_MS)
    .executeTakeFirst();
  return counted !== undefined && counted.mails >= DAILY_MAILS;
}

/** Whether one more email to this mailbox would leave; true until the transaction ends. */
export async function hasRoomForMail(trx: Db, address: string): Promise<boolean> {
  return (await lockMailbox(trx, address)).mails < DAILY_MAILS;
}

/** Counts one more for this mailbox; false, uncounted, when the day's limit is reached. */
export async function countTowardMailboxLimit(trx: Db, address: string): Promise<boolean> {
  const { email: mailbox, mails } = await lockMailbox(trx, address);
  if (mails >= DAILY_MAILS) return false;
  await trx
    .updateTable('mailRecipients')
    .set({ mails: mails + 1 })
    .where('email', '=', mailbox)
    .execute();
  return true;
}

export async function deleteMailbox(trx: Db, email: string): Promise<void> {
  await trx.deleteFrom('mailRecipients').where('email', '=', mailboxOf(email)).execute();
}

export function deleteOldCounts(db: Db): Promise<void> {
  return deleteOlder(db, 'mailRecipients', Date.now() - DAY_MS, { key: 'email', time: 'since' });
}
