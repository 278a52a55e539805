/**
 * A customer who has lost the link to an order asks for it by email address. The answer never says whether there is an order:
 * what was asked is stored, and only the letter that leaves later knows.
 */
import type { Generated, Kysely } from 'kysely';
import type { Notify } from '../notifications/outbox.server.ts';
import { linksAsked, linksRequest } from '../orders/account-shapes.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, oldCall } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { lockRecipient } from '../platform/mail-recipients.server.ts';
import { SEND_LINKS } from './account-contracts.ts';
import { orderLinks } from './order-links.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orderLinkRequests: OrderLinkRequestTable;
  }
}

/** Somebody asked for the links of an address; kept for a day. */
interface OrderLinkRequestTable {
  id: Generated<number>;
  email: string;
  at: number;
}

const LIMIT: Limit = { name: 'order-links', rules: [{ calls: 5, seconds: 15 * 60 }] };
/** At most so many emails an hour go to one address, however many people ask. */
const MOST_LETTERS = 3;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

interface Deps {
  db: Kysely<Tables>;
  notify: Notify;
  /** Whether letters can be sent at all, and whom to call when they cannot. */
  mail: boolean;
  phone: string;
}

export function lostLinkCall({ db, notify, mail, phone }: Deps): Call {
  return oldCall(SEND_LINKS, {
    access: 'anyone',
    limit: LIMIT,
    body: linksRequest,
    answer: linksAsked,
    handle: async ({ body: { email }, limitKey, accept }) => {
      if (!mail) return refuse(409, `We can’t send email from here. Please call ${phone}.`);
      await db.transaction().execute(async (trx) => {
        await lockRecipient(trx, email);
        const now = Date.now();
        await trx
          .deleteFrom('orderLinkRequests')
          .where('at', '<', now - DAY_MS)
          .execute();
        const { id } = await trx
          .insertInto('orderLinkRequests')
          .values({ email, at: now })
          .returning('id')
          .executeTakeFirstOrThrow();
        const { asked } = await trx
          .selectFrom('orderLinkRequests')
          .select(({ fn }) => fn.countAll<number>().as('asked'))
          .where(sameAddress('email', email))
          .where('at', '>', now - HOUR_MS)
          .executeTakeFirstOrThrow();
        if (Number(asked) <= MOST_LETTERS) await notify(trx, orderLinks, id, limitKey);
      });
      accept();
      return { asked: true };
    },
  });
}

/** What was asked is kept for a day. */
export function forgetOldRequests(db: Kysely<Tables>): Interval {
  return new Interval('link-requests-not-forgotten', HOUR_MS, async () => {
    await db
      .deleteFrom('orderLinkRequests')
      .where('at', '<', Date.now() - DAY_MS)
      .execute();
  });
}
