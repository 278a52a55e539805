/** Each combination of what is known of an invoice by bank has one state, which people read. */
import { expect, test } from 'vitest';
import { INVOICE_STATUSES, type InvoiceState, invoiceStateOf } from './invoice.ts';

const ATTEMPTS = [null, 'processing', 'failed', 'requires_action'] as const;
const FLAGS = [0, 1] as const;

/** What a row says nothing of may be anything. */
interface Row {
  status?: readonly string[];
  attempt?: readonly (string | null)[];
  byCard?: boolean;
  overdue?: number;
  outOfBand: number;
  is: InvoiceState;
}

const BY_BANK = { outOfBand: 0 };
const OPEN = { ...BY_BANK, status: ['open'] };
const WAITS = [null, 'requires_action'];
const TABLE: Row[] = [
  { outOfBand: 1, is: 'paid_out_of_band' },
  { ...BY_BANK, status: ['void', 'uncollectible'], is: 'void' },
  { ...BY_BANK, status: ['open'], attempt: ['failed'], byCard: true, is: 'overdue' },
  { ...BY_BANK, status: ['open'], attempt: ['failed'], byCard: false, is: 'debit_returned' },
  { ...BY_BANK, status: ['paid'], attempt: ['failed'], is: 'debit_returned' },
  { ...BY_BANK, status: ['paid'], attempt: [...WAITS, 'processing'], is: 'paid' },
  { ...OPEN, attempt: ['processing'], is: 'debit_under_way' },
  { ...OPEN, attempt: WAITS, overdue: 1, is: 'overdue' },
  { ...OPEN, attempt: WAITS, overdue: 0, is: 'sent' },
];

function* combinations() {
  for (const status of INVOICE_STATUSES)
    for (const attempt of ATTEMPTS)
      for (const overdue of FLAGS)
        for (const paidOutOfBand of FLAGS)
          for (const dueDay of [null, '2026-12-13'])
            yield { status, attempt, dueDay, overdue, paidOutOfBand };
}

test('an invoice by bank has the state that its status and attempts say, in each of 128 combinations', () => {
  const all = [...combinations()];
  expect(all.length).toBe(128);
  for (const facts of all) {
    const rows = TABLE.filter(
      (row) =>
        row.outOfBand === facts.paidOutOfBand &&
        (row.status?.includes(facts.status) ?? true) &&
        (row.attempt?.includes(facts.attempt) ?? true) &&
        (row.byCard ?? facts.dueDay === null) === (facts.dueDay === null) &&
        (row.overdue ?? facts.overdue) === facts.overdue,
    );
    expect([facts, rows.map(({ is }) => is)]).toEqual([facts, [invoiceStateOf(facts)]]);
  }
});
