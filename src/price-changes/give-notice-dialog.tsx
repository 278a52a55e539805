/** Staff confirm that the chosen customers get notice, or that it is taken back. */
import { useState } from 'react';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { toDollars, totalOf, withCommas } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/fields.tsx';
import {
  GIVE_NOTICE,
  MAX_NOTICES,
  type NoticeKind,
  type NoticeOutcome,
  type PriceRow,
} from './price-change-api.ts';
import { hasNotice, isToChange, perMonth, shownPrices } from './price-columns.tsx';

export const ACTIONS = {
  price: {
    button: 'Give notice',
    fits: isToChange,
    text: 'Each customer gets an email with both prices and the day of the first charge, at least 30 days ahead where a price goes up. You can take it back until the day before.',
    byHand:
      'Email is not set up. Deliver the notice yourself first: both prices and the day of the first charge, at least 30 days ahead where a price goes up. You can take it back until the day before.',
  },
  'take-back': {
    button: 'Take back',
    fits: hasNotice,
    text: 'The price stays as it is, and each customer whose email has left gets another that says so.',
    byHand: 'The price stays as it is. Email is not set up, so tell each customer yourself.',
  },
  terms: {
    button: 'Notice of changed terms',
    fits: () => true,
    text: 'Each customer gets an email with a link to the terms of service, which says that they change in 30 days. Publish the new terms first. No price changes.',
    byHand:
      'Email is not set up. Deliver the notice yourself first: the terms of service change in 30 days. Publish the new terms before. No price changes.',
  },
} satisfies Record<NoticeKind, object>;

export interface AskedNotice {
  kind: NoticeKind;
  rows: readonly PriceRow[];
}

interface GiveNoticeDialogProps {
  /** Null: it is closed. */
  asked: AskedNotice | null;
  day: string;
  onDone: (outcome: NoticeOutcome) => void;
  onClose: () => void;
}

export function GiveNoticeDialog({ asked, day, onDone, onClose }: GiveNoticeDialogProps) {
  const { mail } = useSite();
  const [byHand, setByHand] = useState(false);
  const { kind = null, rows = [] } = asked ?? {};
  const close = () => {
    setByHand(false);
    onClose();
  };
  return (
    <Dialog
      open={kind !== null}
      onClose={close}
      title={kind ? `${ACTIONS[kind].button}?` : ''}
      subtitle={kind === 'terms' ? customers(rows.length) : summaryOf(rows)}
    >
      {kind && (
        <Confirm
          verb={ACTIONS[kind].button}
          variant={kind === 'take-back' ? 'danger' : 'primary'}
          act={async () => onDone(await inParts(rows, { kind, day, byHand }))}
          reloads
          onClose={close}
        >
          <p>{mail ? ACTIONS[kind].text : ACTIONS[kind].byHand}</p>
          {kind !== 'take-back' && (
            <Checkbox
              label="I delivered it by hand"
              detail="No email is sent."
              checked={byHand}
              onChange={({ target }) => setByHand(target.checked)}
            />
          )}
        </Confirm>
      )}
    </Dialog>
  );
}

/** A press that fails halfway can be repeated: no customer gets a second notice. */
async function inParts(
  rows: readonly PriceRow[],
  notice: { kind: NoticeKind; day: string; byHand: boolean },
) {
  const all: NoticeOutcome = { done: 0, skipped: [] };
  for (let start = 0; start < rows.length; start += MAX_NOTICES) {
    const part = rows.slice(start, start + MAX_NOTICES);
    const orders = part.map(({ orderId: id, after }) => ({ id, after: toDollars(totalOf(after)) }));
    const body = { ...notice, orders };
    const { done, skipped } = await fetchCall(GIVE_NOTICE, { body }).catch((error: unknown) => {
      // What the parts before have done is told.
      if (start === 0) throw error;
      return { done: 0, skipped: [reasonOf(error)] };
    });
    all.done += done;
    all.skipped.push(...skipped);
  }
  return all;
}

export function customers(count: number): string {
  return `${withCommas(count)} ${count === 1 ? 'customer' : 'customers'}`;
}

/** '12 customers, +$360.00 a month'. */
export function summaryOf(rows: readonly PriceRow[]): string {
  const sum = rows.reduce((total, row) => total + shownPrices(row).difference, 0);
  return `${customers(rows.length)}, ${perMonth(sum)}`;
}
