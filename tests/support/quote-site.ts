/** A site on which quotes are saved, opened and paid, with a mailbox. */
import { expect } from 'vitest';
import { SAMPLE_ORDER } from './call-row.ts';
import { Mailbox } from './mailbox.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

/** Essential with ten licenses and backup: 450 + 10 × 12.50 + 10 × 4.95. */
export const ASKED = {
  planId: 1,
  ms365Option: 'business_standard',
  ms365Users: 10,
  includeCloudBackup: true,
  name: 'Dana Fox',
  email: 'dana@fox.example',
  company: 'Fox Motors',
  note: 'For the store in Macon',
};
export const AMOUNT = 624.5;

export interface QuoteSite {
  app: TestApp;
  mailbox: Mailbox;
  /** Saves one as a visitor; gives its token and its number. */
  save(change?: object): Promise<{ token: string; reference: string; id: number }>;
  open(token: string, by?: Visitor): Promise<Awaited<ReturnType<Visitor['post']>>>;
  /** What the checkout sends for a quote. */
  order(token: string, change?: object): Record<string, unknown>;
  /** Places the order by the quote, and pays it with the card; gives the answer of the first call. */
  pay(token: string, change?: object, card?: string): Promise<Awaited<ReturnType<Visitor['post']>>>;
  /** Turns the quote's own clock: everything in it happened so much earlier. */
  age(id: number, days: number): Promise<void>;
  stop(): Promise<void>;
}

let people = 0;

export async function startQuoteSite(variables: Record<string, string> = {}): Promise<QuoteSite> {
  const mailbox = await Mailbox.start();
  const app = await startTestApp({ ...mailbox.variables, ...variables });
  const site: QuoteSite = {
    app,
    mailbox,
    async save(change = {}) {
      people += 1;
      const email = `dana-${people}@fox.example`;
      const { status, json } = await app
        .visitor()
        .post('/api/quotes', { ...ASKED, email, ...change });
      expect([status, json.message]).toEqual([201, undefined]);
      const token = new URL(json.url).pathname.replace('/quote/', '');
      return { token, reference: json.reference, id: Number(json.reference.slice(2)) };
    },
    open: (token, by = app.visitor()) => by.post('/api/quote', { token }),
    order: (token, change = {}) => {
      const { planId, ms365Option, ms365Users, includeCloudBackup } = ASKED;
      return {
        ...SAMPLE_ORDER,
        planId,
        ms365Option,
        ms365Users,
        includeCloudBackup,
        amount: AMOUNT,
        quote: token,
        ...change,
      };
    },
    async pay(token, change = {}, card = 'succeeds') {
      const buyer = app.visitor();
      const placed = await buyer.post('/api/create-payment-intent', site.order(token, change));
      const { clientSecret } = placed.json;
      if (placed.status === 200)
        await buyer.post('/api/test-payments/confirm', { clientSecret, token: card });
      return placed;
    },
    async age(id, days) {
      const { db } = app.database;
      const ms = Math.round(days * 24 * 60 * 60 * 1000);
      await db
        .updateTable('quotes')
        .set(({ eb }) => ({
          expiresAt: eb('expiresAt', '-', ms),
          remindAt: eb('remindAt', '-', ms),
        }))
        .where('id', '=', id)
        .execute();
    },
    async stop() {
      await app.stop();
      await mailbox.stop();
    },
  };
  return site;
}
