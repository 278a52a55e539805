/** Daily limits on what strangers can cause: mail sent to one mailbox, and bytes stored. */
import { domainToASCII } from 'node:url';
import type { Generated } from 'kysely';
import type { Db, Row } from './database/tables.server.ts';
import { refuse } from './http/answer.server.ts';
import { DAY_MS } from './time.ts';

/**
 * Per mailbox and day. `mails` are all emails that strangers can cause; `quotes` and `reports` are further limits
 * within them. Links to a customer's own orders do not count: lost-link.server.ts limits them.
 */
const DAILY_LIMITS = { mails: 10, quotes: 5, reports: 3 };

declare module './database/tables.server.ts' {
  interface Tables {
    mailRecipients: {
      /** A result of `mailboxOf`. */
      email: string;
      /** When the counted day began, in milliseconds. */
      since: number;
      mails: Generated<number>;
      quotes: Generated<number>;
      reports: Generated<number>;
    };
  }
}

/** Two names of one service, which also ignores dots before the @. Elsewhere a dot makes another mailbox. */
const GMAIL = ['gmail.com', 'googlemail.com'];

/** One key for all spellings that are delivered to one mailbox: another case, 'jane+1@', a Punycode domain, Gmail's. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [name = ''] = local.split('+');
  const host = domainToASCII(domain) || domain;
  return GMAIL.includes(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
}

/** Locks the mailbox's row until the transaction ends, so that concurrent transactions count correctly. */
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

/** Counts one more for the mailbox of this address; false, uncounted, when the day's limit is reached. */
export async function countTowardMailboxLimit(
  trx: Db,
  address: string,
  what: keyof typeof DAILY_LIMITS,
): Promise<boolean> {
  const { email: mailbox, [what]: count } = await lockMailbox(trx, address);
  if (count >= DAILY_LIMITS[what]) return false;
  await trx
    .updateTable('mailRecipients')
    .set({ [what]: count + 1 })
    .where('email', '=', mailbox)
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

/** Limits the bytes that all visitors together can store in a day. Counted per process, like the rate limits. */
export class MessageBudget {
  readonly #phone: string;
  #since = 0;
  #bytes = 0;

  constructor(phone: string) {
    this.#phone = phone;
  }

  /** Counts a message about to be stored; returns a refusal when the day's budget is used up. */
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
