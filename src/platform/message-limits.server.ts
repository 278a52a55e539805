/** Daily limits on what strangers can cause: mail sent to one mailbox, and bytes stored. */
import { domainToASCII } from 'node:url';
import type { Generated } from 'kysely';
import { DAILY_MAILS, STORED_A_DAY } from '../limits.ts';
import type { Db, Row } from './database/tables.server.ts';
import { refuse } from './http/answer.server.ts';
import { DAY_MS } from './time.ts';

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
    /** Bytes that strangers stored. */
    dailyStorage: {
      /** Days since 1970 (UTC). */
      day: number;
      bytes: number;
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
  what: keyof typeof DAILY_MAILS,
): Promise<boolean> {
  const { email: mailbox, [what]: count } = await lockMailbox(trx, address);
  if (count >= DAILY_MAILS[what]) return false;
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

/**
 * What one thing takes besides its own text: rows and index entries, also those that it causes later, such as deliveries,
 * keys and history.
 */
const ROWS_BYTES = 4_000;

/** Limits the bytes that strangers can store in a day; docs/decisions/083 lists what counts. */
export class StorageBudget {
  readonly #db: Db;
  readonly #phone: string;

  constructor(db: Db, phone: string) {
    this.#db = db;
    this.#phone = phone;
  }

  /** The refusal when the day's budget is used up. Ask before anything is changed. */
  async refusal(): Promise<Response | undefined> {
    const used = await this.#db
      .selectFrom('dailyStorage')
      .select('bytes')
      .where('day', '=', today())
      .where('bytes', '>=', STORED_A_DAY)
      .executeTakeFirst();
    if (!used) return undefined;
    const full = `We can’t take more requests right now. Please call ${this.#phone}.`;
    return refuse(503, full, { retryAfter: 60 * 60 });
  }

  /** Counts what the transaction stores. Call it last: the count stays locked until the transaction ends. */
  async count(trx: Db, stored: object): Promise<void> {
    // The text may also be in indexes.
    const bytes = ROWS_BYTES + 2 * Buffer.byteLength(JSON.stringify(stored));
    await trx
      .insertInto('dailyStorage')
      .values({ day: today(), bytes })
      .onConflict((conflict) =>
        conflict
          .column('day')
          .doUpdateSet(({ eb }) => ({ bytes: eb('dailyStorage.bytes', '+', bytes) })),
      )
      .execute();
  }
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

export async function deleteOldCounts(db: Db): Promise<void> {
  await db
    .deleteFrom('mailRecipients')
    .where('since', '<', Date.now() - DAY_MS)
    .execute();
  await db.deleteFrom('dailyStorage').where('day', '<', today()).execute();
}
