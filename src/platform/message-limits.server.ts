/** Bounds on what strangers can cause: what is sent to one mailbox, and bytes that are stored, each within a day. */
import { domainToASCII } from 'node:url';
import type { Generated } from 'kysely';
import type { Db, Row } from './database/tables.server.ts';
import { refuse } from './http/answer.server.ts';
import { DAY_MS } from './time.ts';

/**
 * At most so many for one mailbox: emails that strangers cause, the quotes saved for it, and the reports among them. Links
 * to a customer's own orders are counted by themselves, so that strangers cannot use them up with something else.
 */
const A_DAY = { mails: 10, quotes: 5, reports: 3, links: 5 };

declare module './database/tables.server.ts' {
  interface Tables {
    mailRecipients: MailRecipientTable;
  }
}

interface MailRecipientTable {
  /** As `mailboxOf` gives it. */
  email: string;
  /** When the day that is counted began, in milliseconds. */
  since: number;
  mails: Generated<number>;
  quotes: Generated<number>;
  reports: Generated<number>;
  links: Generated<number>;
}

/** Spellings that mail services deliver to one mailbox count as one: 'Jane+1@', 'j.ane@', a domain in Punycode. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  return `${local.replace(/\+.*/, '').replaceAll('.', '')}@${domainToASCII(domain)}`;
}

/** Transactions that cause something for the same mailbox wait here for each other, so that what they count is right. */
export async function lockMailbox(trx: Db, email: string): Promise<Row<'mailRecipients'>> {
  const mailbox = mailboxOf(email);
  const since = Date.now();
  await trx
    .deleteFrom('mailRecipients')
    .where('email', '=', mailbox)
    .where('since', '<', since - DAY_MS)
    .execute();
  return trx
    .insertInto('mailRecipients')
    .values({ email: mailbox, since })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ email: mailbox }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts one more of these for the mailbox; false when it has had its share of the day. */
export async function countForMailbox(
  trx: Db,
  mailbox: string,
  what: keyof typeof A_DAY,
): Promise<boolean> {
  const { email, [what]: count } = await lockMailbox(trx, mailbox);
  if (count >= A_DAY[what]) return false;
  await trx
    .updateTable('mailRecipients')
    .set({ [what]: count + 1 })
    .where('email', '=', email)
    .execute();
  return true;
}

export async function deleteMailbox(trx: Db, email: string): Promise<void> {
  await trx.deleteFrom('mailRecipients').where('email', '=', mailboxOf(email)).execute();
}

export async function deleteOldMailboxes(db: Db): Promise<void> {
  await db
    .deleteFrom('mailRecipients')
    .where('since', '<', Date.now() - DAY_MS)
    .execute();
}

const BYTES_A_DAY = 200_000_000;

/** How much all visitors together may have stored in a day. Counts in this process, as the limits by address do. */
export class MessageBudget {
  readonly #phone: string;
  #since = 0;
  #bytes = 0;

  constructor(phone: string) {
    this.#phone = phone;
  }

  /** Counts a message that is about to be stored, or refuses one for which no room is left today. */
  spend(message: object): Response | undefined {
    if (Math.abs(Date.now() - this.#since) >= DAY_MS) {
      this.#since = Date.now();
      this.#bytes = 0;
    }
    const bytes = Buffer.byteLength(JSON.stringify(message));
    if (this.#bytes + bytes > BYTES_A_DAY) {
      const full = `We can’t take more messages right now. Please call ${this.#phone}.`;
      return refuse(503, full, { retryAfter: 60 * 60 });
    }
    this.#bytes += bytes;
    return undefined;
  }
}
