/** Notices of new prices and terms. An order that is billed at such prices completes its notice. */
import type { Generated } from 'kysely';
import { type PriceLine, parseLines } from '../catalogue/pricing.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { NoticeState, Withdrawal } from './notice.ts';
import { isOver, ORDER_STATUSES } from './order-status.ts';
import { isAt, type ProviderMode } from './provider-mode.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    priceChanges: {
      id: Generated<number>;
      orderId: number;
      kind: 'price' | 'terms';
      /** The last three are release 1.0's. */
      state: NoticeState | 'applied' | 'restoring' | 'undeliverable';
      reason: Withdrawal | null;
      /** What is charged before and after, as announced: JSON of `PriceLine[]`; empty for terms. */
      fromLines: string;
      toLines: string;
      /** The renewal that is the first at the new prices, or the day of the new terms. */
      effectiveAt: number;
      at: number;
      /** When its email was accepted, or staff had delivered it by hand. */
      deliveredAt: number | null;
      /** When the provider’s next invoice showed the new prices. */
      setUpAt: number | null;
      accountId: number;
    };
  }
}

type Stored = Row<'priceChanges'>;
export interface Notice extends Omit<Stored, 'state' | 'fromLines' | 'toLines'> {
  state: NoticeState;
  from: readonly PriceLine[];
  to: readonly PriceLine[];
}

const READ_AS: Record<Stored['state'], { state: NoticeState; reason?: Withdrawal }> = {
  announced: { state: 'announced' },
  applying: { state: 'applying' },
  charged: { state: 'charged' },
  withdrawn: { state: 'withdrawn' },
  applied: { state: 'applying' },
  // The provider may still have the new prices: `findNoticesToApply`.
  restoring: { state: 'withdrawn', reason: 'taken-back' },
  undeliverable: { state: 'withdrawn', reason: 'undelivered' },
};

function columnsOf<Changed extends Partial<Notice>>({ from, to, ...columns }: Changed) {
  return { ...columns, fromLines: JSON.stringify(from), toLines: JSON.stringify(to) };
}

function noticeOf({ fromLines, toLines, ...row }: Stored): Notice {
  const lines = { from: parseLines(fromLines), to: parseLines(toLines) };
  return { ...row, ...READ_AS[row.state], ...lines };
}

/** A provider may begin a period a moment early or late; periods are weeks apart. */
export const SAME_RENEWAL_MS = DAY_MS;

/** The newest notice of the order's prices, or of its terms, whatever became of it. */
export async function findNotice(
  db: Db,
  orderId: number,
  kind: Notice['kind'] = 'price',
): Promise<Notice | undefined> {
  return (await readNotices(db, [orderId])).findLast((notice) => notice.kind === kind);
}

/** All notices to the customers of these orders, to each the oldest first. */
export async function readNotices(db: Db, orderIds: readonly number[]): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const ids of chunk(orderIds)) {
    const all = db.selectFrom('priceChanges').selectAll().where('orderId', 'in', ids);
    notices.push(...(await all.orderBy('id').execute()).map(noticeOf));
  }
  return notices;
}

/** How long before its renewal a provider that needs them in advance gets the new prices. */
export const SET_PRICES_BEFORE_MS = 6 * HOUR_MS;

/** Those about which such a provider must be asked, the most urgent first; `id`: only this. */
export async function findNoticesToApply(
  db: Db,
  mode: ProviderMode,
  now: number,
  id?: number,
): Promise<Notice[]> {
  const notices = db
    .selectFrom('priceChanges')
    .innerJoin('orders', 'orders.id', 'priceChanges.orderId')
    .innerJoin('subscriptions', 'subscriptions.orderId', 'orders.id')
    .selectAll('priceChanges')
    .where('kind', '=', 'price')
    .where(isAt(mode))
    .where('orders.status', 'not in', ORDER_STATUSES.filter(isOver))
    .where(({ eb, and, or }) =>
      or([
        eb('priceChanges.state', '=', 'restoring'),
        and([eb('priceChanges.state', '=', 'applying'), eb('setUpAt', 'is', null)]),
        and([
          eb('priceChanges.state', '=', 'announced'),
          eb('deliveredAt', 'is not', null),
          eb('effectiveAt', '<=', now + SET_PRICES_BEFORE_MS),
          eb('subscriptions.status', '!=', 'paused'),
          or([eb('cancelAt', 'is', null), eb('cancelAt', '>', eb.ref('effectiveAt'))]),
        ]),
      ]),
    );
  const asked = id === undefined ? notices : notices.where('priceChanges.id', '=', id);
  return (await asked.orderBy('effectiveAt').execute()).map(noticeOf);
}

/** Its order must be locked. Returns its id. */
export async function insertNotice(
  trx: Db,
  notice: Omit<Notice, 'id' | 'state' | 'reason' | 'setUpAt'>,
): Promise<number> {
  const row = { ...columnsOf(notice), state: 'announced' as const };
  const inserting = trx.insertInto('priceChanges').values(row).returning('id');
  return (await inserting.executeTakeFirstOrThrow()).id;
}

/** Its order must be locked. */
export async function updateNotice(
  trx: Db,
  { id }: Pick<Notice, 'id'>,
  changed: Partial<Notice>,
): Promise<void> {
  if (Object.keys(changed).length === 0) return;
  await trx.updateTable('priceChanges').set(columnsOf(changed)).where('id', '=', id).execute();
}
