/** Each combination of what is known of an invoice by bank has one state, which people read. */
import { expect, test } from 'vitest';
import { combinations, saidBy } from '../../tests/support/truth-table.ts';
import { INVOICE_STATUSES, type InvoiceState, invoiceStateOf } from './invoice.ts';

const DUE = '2026-12-13';
const BY_BANK = { paidOutOfBand: 0 };
const OPEN = { ...BY_BANK, status: 'open' };
const WAITS = [null, 'requires_action'];
const TABLE: ({ is: InvoiceState } & Record<string, unknown>)[] = [
  { paidOutOfBand: 1, is: 'paid_out_of_band' },
  { ...BY_BANK, status: ['void', 'uncollectible'], is: 'void' },
  { ...OPEN, attempt: 'failed', dueDay: null, is: 'overdue' },
  { ...OPEN, attempt: 'failed', dueDay: DUE, is: 'debit_returned' },
  { ...BY_BANK, status: 'paid', attempt: 'failed', is: 'debit_returned' },
  { ...BY_BANK, status: 'paid', attempt: [...WAITS, 'processing'], is: 'paid' },
  { ...OPEN, attempt: 'processing', is: 'debit_under_way' },
  { ...OPEN, attempt: WAITS, overdue: 1, is: 'overdue' },
  { ...OPEN, attempt: WAITS, overdue: 0, is: 'sent' },
];

test('an invoice by bank has the state that its status and attempts say, in each of 128 combinations', () => {
  const all = combinations({
    status: INVOICE_STATUSES,
    attempt: [null, 'processing', 'failed', 'requires_action'] as const,
    overdue: [0, 1] as const,
    paidOutOfBand: [0, 1] as const,
    dueDay: [null, DUE],
  });
  expect(all.length).toBe(128);
  for (const facts of all)
    expect([facts, ...saidBy(TABLE, facts)]).toEqual([facts, invoiceStateOf(facts)]);
});
