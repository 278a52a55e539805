/** A site whose prices rise on a day to come, with a mailbox; and what staff do with its prices. */
import { expect } from 'vitest';
import { localDate } from '../../src/company/days.ts';
import { priceAnnounced } from '../../src/price-changes/deliver-notice.server.ts';
import { contentWith } from './content-folder.ts';
import { Mailbox } from './mailbox.ts';
import { ownContent } from './own-content.ts';
import { shared, startTestApp, type TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

const DAY_MS = 86_400_000;
/** The day on which Essential and Business Standard get dearer, and backup cheaper. */
export const RISE = localDate(ownContent().company, Date.now() + 40 * DAY_MS);
/** Words that no page of today has. */
export const TO_COME = { plan: 477.77, seat: 14.44, backup: 4.11 };

export const RISING = {
  'catalogue/plans.json': (plans: { id: number }[]) =>
    plans.map((plan) =>
      plan.id === 1 ? { ...plan, prices: [{ from: RISE, price: TO_COME.plan }] } : plan,
    ),
  'catalogue/add-ons.json': (addOns: Record<string, object[]>) => ({
    microsoft365: [
      ...(addOns.microsoft365 ?? []),
      {
        option: 'business_standard',
        label: 'Business Standard',
        pricePerUser: TO_COME.seat,
        from: RISE,
      },
    ],
    cloudBackup: [
      ...(addOns.cloudBackup ?? []),
      { label: 'Cloud backup', pricePerUser: TO_COME.backup, from: RISE },
    ],
  }),
};

type Lines = { amount: number }[];
const sum = (lines: Lines) =>
  Math.round(lines.reduce((all, { amount }) => all + amount, 0) * 100) / 100;
const withTotals = <Part extends { before: Lines; after: Lines }>(part: Part) => ({
  ...part,
  before: sum(part.before),
  after: sum(part.after),
});

/** The email of the order's newest notice is accepted, or refused for good. */
export async function settleNotice(
  { db }: TestApp['database'],
  orderId: number,
  isAccepted: boolean,
): Promise<void> {
  const mails = db.selectFrom('outbox').selectAll().where('subjectId', '=', orderId);
  const notices = mails.where('kind', '=', priceAnnounced.kind).where('settledAt', 'is', null);
  const mail = await notices.orderBy('id', 'desc').executeTakeFirst();
  if (!mail) return;
  await db.transaction().execute(async (trx) => {
    const state = isAccepted ? ('accepted' as const) : ('failed' as const);
    const settled = { state, settledAt: Date.now() };
    await trx.updateTable('outbox').set(settled).where('id', '=', mail.id).execute();
    await priceAnnounced.settled?.({ db: trx, notify: async () => undefined }, mail, isAccepted);
  });
}

/** Staff's page Prices; its lists of lines are added up. */
export function pricesPage(staff: () => Visitor) {
  const rows = async (day: string) => {
    const { json } = await staff().move().get(`/api/admin/prices?day=${day}`);
    return json.rows.map((row: Parameters<typeof withTotals>[0] & { price: never }) => ({
      ...withTotals(row),
      price: row.price && withTotals(row.price),
    }));
  };
  const row = async (orderId: number, day = RISE) =>
    (await rows(day)).find((each: { orderId: number }) => each.orderId === orderId);
  const post = async (what: string, body: object) => {
    const { status, json } = await staff().move().post(`/api/admin/prices/${what}`, body);
    expect([what, status, json.message]).toEqual([what, 200, undefined]);
    return json;
  };
  const asked = (ids: number[]) => ids.map((id) => ({ id, after: 0 }));
  return {
    row,
    /** Gives notice of the prices of a day, as the page shows them. */
    async give(orderIds: number[], day = RISE, byHand = false) {
      const shown = await rows(day);
      const orders = orderIds.map((id) => ({
        id,
        after: shown.find(({ orderId }: { orderId: number }) => orderId === id)?.after ?? 0,
      }));
      return post('notice', { kind: 'price', day, orders, byHand });
    },
    giveTerms: (ids: number[], day = RISE) =>
      post('notice', { kind: 'terms', day, orders: asked(ids) }),
    /** `refused`: with 409. */
    async takeBack(ids: number[], day = RISE) {
      const body = { kind: 'take-back', day, orders: asked(ids) };
      const { status, json } = await staff().move().post('/api/admin/prices/notice', body);
      return status === 409 ? { done: 0, refused: json.message } : json;
    },
    preview: (order: number, day = RISE) => post('preview', { kind: 'price', day, order }),
  };
}

export function sharedPriceSite() {
  const site = shared(async () => {
    const mailbox = await Mailbox.start();
    const app = await startTestApp(mailbox.variables, contentWith(RISING));
    const stop = async () => {
      await app.stop();
      await mailbox.stop();
    };
    return { mailbox, app, staff: await app.staff(), stop };
  });
  return Object.assign(
    site,
    pricesPage(() => site.staff),
  );
}
