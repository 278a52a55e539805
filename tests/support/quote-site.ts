/** A site with a mailbox, and what people do with quotes on it. */
import { expect } from 'vitest';
import { SAMPLE_ORDER } from './call-row.ts';
import { Mailbox } from './mailbox.ts';
import { shared, startTestApp } from './test-app.ts';

/** Essential with ten licenses and backup: 450 + 10 × 12.50 + 10 × 4.95. */
export const QUOTE = {
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

/** The body that the checkout sends to order by a quote. */
export function orderByQuote(token: string, change = {}) {
  const { planId, ms365Option, ms365Users, includeCloudBackup } = QUOTE;
  const choice = { planId, ms365Option, ms365Users, includeCloudBackup };
  return { ...SAMPLE_ORDER, ...choice, amount: AMOUNT, quote: token, ...change };
}

export const sharedQuoteSite = (variables?: Record<string, string>) =>
  shared(() => startQuoteSite(variables));

let people = 0;

export async function startQuoteSite(variables: Record<string, string> = {}) {
  const mailbox = await Mailbox.start();
  const app = await startTestApp({ ...mailbox.variables, ...variables });
  return {
    app,
    mailbox,
    /** Saves a quote as a new visitor. */
    async save(change = {}) {
      people += 1;
      const email = `dana-${people}@fox.example`;
      const { status, json } = await app
        .visitor()
        .post('/api/quotes', { ...QUOTE, email, ...change });
      expect([status, json.message]).toEqual([201, undefined]);
      const token = new URL(json.url).pathname.replace('/quote/', '');
      const { reference, expiresAt } = json;
      return { token, reference, expiresAt, id: Number(reference.replace(/\D/g, '')) };
    },
    open: (token: string, by = app.visitor()) => by.post('/api/quote', { token, viewed: true }),
    /** Places an order by the quote and pays it. Returns the answer to the order. */
    async pay(token: string, change = {}, card = 'succeeds') {
      const buyer = app.visitor();
      const placed = await buyer.post('/api/create-payment-intent', orderByQuote(token, change));
      const { clientSecret } = placed.json;
      if (placed.status === 200)
        await buyer.post('/api/test-payments/confirm', { clientSecret, token: card });
      return placed;
    },
    /** Makes the quote older. */
    async age(id: number, days: number) {
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
}
