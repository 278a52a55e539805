/** What Stripe's events of refunds and disputes say of an order. */
import { describe, expect, test } from 'vitest';
import { readStripeEvent } from './stripe-event.server.ts';

const read = (type: string, object: object) => readStripeEvent({ type, created: 1 }, object);
const PAID = { status: 'succeeded', refused: false };

describe('a refund', () => {
  const charge = {
    id: 'ch_1',
    amount: 45_000,
    amount_refunded: 44_999,
    currency: 'usd',
    payment_intent: 'pi_1',
  };

  test('of a part', () => {
    expect(read('charge.refunded', charge)).toEqual({
      mark: { chargeId: 'ch_1', paymentId: 'pi_1' },
      sum: { amount: 45_000, currency: 'usd', first: false },
      says: { ...PAID, charges: [{ id: 'ch_1', amount: 45_000, refunded: 44_999 }] },
      ask: true,
      cause: 'part of the payment refunded',
    });
  });

  test('of all of it', () => {
    const whole = { ...charge, amount_refunded: 45_000 };
    expect(read('charge.refunded', whole)?.cause).toBe('payment refunded');
  });

  test('of a charge without a payment names the charge alone', () => {
    const alone = { ...charge, payment_intent: null };
    expect(read('charge.refunded', alone)?.mark).toStrictEqual({ chargeId: 'ch_1' });
  });
});

describe('a dispute', () => {
  const dispute = {
    id: 'dp_1',
    charge: 'ch_1',
    payment_intent: { id: 'pi_1' },
    amount: 45_000,
    status: 'needs_response',
    reason: 'fraudulent',
  };

  test('that was opened', () => {
    expect(read('charge.dispute.created', dispute)).toEqual({
      mark: { chargeId: 'ch_1', paymentId: 'pi_1' },
      sum: null,
      says: {
        ...PAID,
        charges: [{ id: 'ch_1', amount: 45_000, refunded: 0, dispute: 'open' }],
      },
      ask: true,
      cause: 'dispute opened (fraudulent)',
    });
  });

  test('without a reason', () => {
    const { reason: _, ...plain } = dispute;
    expect(read('charge.dispute.created', plain)?.cause).toBe('dispute opened (no reason given)');
  });

  test.each([
    ['won', 'won', 'dispute won'],
    ['lost', 'lost', 'dispute lost'],
    ['warning_closed', 'won', 'dispute warning closed'],
    ['prevented', 'won', 'dispute prevented'],
    ['under_review', 'open', 'dispute opened (fraudulent)'],
  ])('that is %s', (status, stands, cause) => {
    const news = read('charge.dispute.closed', { ...dispute, status });
    expect(news?.says.charges?.[0]?.dispute).toBe(stands);
    expect(news?.cause).toBe(cause);
  });

  test('that names neither charge nor payment goes by its own id', () => {
    const bare = { ...dispute, charge: null, payment_intent: null };
    const news = read('charge.dispute.created', bare);
    expect(news?.mark).toStrictEqual({});
    expect(news?.says.charges?.[0]?.id).toBe('dp_1');
  });
});
