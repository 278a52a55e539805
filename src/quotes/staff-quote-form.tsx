/** The dialog in which staff make or change a quote. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LIST_PLANS } from '../catalogue/catalogue.ts';
import { useList } from '../catalogue/catalogue-list.tsx';
import { readCount } from '../catalogue/pricing.ts';
import {
  DUE_DAYS,
  MAX_DUE_DAYS,
  MAX_EMAIL,
  MAX_ONCE_LINES,
  MAX_QUOTE_DAYS,
  MAX_QUOTE_NOTE,
  MAX_USERS,
  MIN_DUE_DAYS,
  QUOTE_DAYS,
} from '../limits.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { toDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/fields.tsx';
import {
  CHANGE_QUOTE,
  MAKE_QUOTE,
  type QuoteRow,
  type StaffQuoteBody,
  staffQuoteRequest,
} from './quote-api.ts';

export interface QuotedPerson {
  name: string;
  email: string;
}

interface StaffQuoteDialogProps {
  open: boolean;
  /** The quote to change; null for a new one. */
  quote: QuoteRow | null;
  /** Whom a new one is for. */
  person?: QuotedPerson | undefined;
  onClose: () => void;
  onMade?: (quote: QuoteRow) => void;
}

export function StaffQuoteDialog({ open, quote, person, onClose, onMade }: StaffQuoteDialogProps) {
  const queryClient = useQueryClient();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={quote ? `Change quote ${quote.reference}` : 'New quote'}
      subtitle={
        quote
          ? 'The quote uses today’s prices. Links you’ve already sent show the change.'
          : 'At today’s prices. The customer accepts it by paying.'
      }
      wide
    >
      <StaffQuoteForm
        quote={quote}
        person={person}
        onMade={(madeQuote) => {
          queryClient.invalidateQueries();
          onClose();
          onMade?.(madeQuote);
        }}
      />
    </Dialog>
  );
}

/** An unreadable number becomes 0, which the schema refuses at its field. */
function readBody(field: (name: string) => string, quote: QuoteRow | null): StaffQuoteBody {
  const number = (name: string) => readCount(field(name), 2 ** 31 - 1) ?? 0;
  const kind = field('discount.kind');
  const dollars = (name: string) => {
    const typed = field(name).replace(/^\$|,/g, '');
    return /^\d{1,8}(\.\d{1,2})?$/.test(typed) ? Number(typed) : 0;
  };
  const places = Array.from({ length: MAX_ONCE_LINES }, (_, place) => `once[${place}]`);
  const last = places.findLastIndex((place) => field(`${place}.label`) || field(`${place}.amount`));
  return {
    name: field('name'),
    email: field('email'),
    company: field('company'),
    note: field('note'),
    planId: number('planId'),
    ms365Option: field('ms365Option'),
    ms365Users: number('ms365Users'),
    includeCloudBackup: field('includeCloudBackup') !== '',
    discount:
      kind === 'percent' || kind === 'dollars'
        ? {
            kind,
            value: dollars('discount.value'),
            reason: field('discount.reason'),
          }
        : null,
    once: places.slice(0, last + 1).map((place) => ({
      label: field(`${place}.label`),
      amount: dollars(`${place}.amount`),
    })),
    startsOn: field('startsOn') || null,
    // 0 is refused at its field.
    dueDays: field('payment') === 'invoice' ? number('dueDays') : null,
    days: number('days'),
    send: field('send') !== '',
    ...(quote && { changedAt: quote.changedAt }),
  };
}

const DISCOUNTS = [
  ['', 'None'],
  ['percent', 'Percent'],
  ['dollars', 'Dollars a month'],
] as const;

const PAYMENTS = [
  ['card', 'Card'],
  ['invoice', 'Invoice'],
] as const;

interface StaffQuoteFormProps extends Pick<StaffQuoteDialogProps, 'quote' | 'person'> {
  onMade: (quote: QuoteRow) => void;
}

function StaffQuoteForm({ quote, person, onMade }: StaffQuoteFormProps) {
  const discount = quote?.discount;
  const { licenses } = useSite();
  const [option, setOption] = useState<string>(quote?.ms365Option ?? 'none');
  const [kind, setKind] = useState(discount ? (discount.percent ? 'percent' : 'dollars') : '');
  const once = quote?.price.once ?? [];
  const [onceLines, setOnceLines] = useState(Math.max(1, once.length));
  const [payment, setPayment] = useState(quote?.dueDays ? 'invoice' : 'card');
  const plans = useList(LIST_PLANS, []);
  const placeholder = plans.state === 'failed' ? 'Couldn’t load the plans' : 'Choose…';
  return (
    <CallForm
      inDialog
      label="Quote"
      schema={staffQuoteRequest}
      read={(field) => readBody(field, quote)}
      save={(body) =>
        quote
          ? fetchCall(CHANGE_QUOTE, { params: { id: quote.id }, body })
          : fetchCall(MAKE_QUOTE, { body })
      }
      onSaved={onMade}
      failed="We couldn’t save the quote. Please try again."
      button={quote ? 'Save changes' : 'Make quote'}
    >
      {(line) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            {line('Name', 'name', { defaultValue: (quote ?? person)?.name })}
            {line('Email', 'email', {
              type: 'email',
              maxLength: MAX_EMAIL,
              defaultValue: (quote ?? person)?.email,
            })}
            {line('Company', 'company', { optional: true, defaultValue: quote?.company ?? '' })}
            {line('Plan', 'planId', {
              options: [
                ['', placeholder],
                ...(plans.data ?? []).map(({ id, name }) => [id, name] as const),
              ],
              defaultValue: quote?.planId,
            })}
            {line('Microsoft 365', 'ms365Option', {
              options: licenses,
              defaultValue: option,
              onChoice: setOption,
            })}
            {option !== 'none' &&
              line('Users', 'ms365Users', {
                type: 'number',
                min: 1,
                max: MAX_USERS,
                defaultValue: quote?.ms365Users || 1,
              })}
          </div>
          {option !== 'none' && (
            <Checkbox
              name="includeCloudBackup"
              defaultChecked={quote?.includeCloudBackup}
              label="Cloud backup"
            />
          )}
          <div className="grid gap-4 sm:grid-cols-3">
            {line('Discount on the plan', 'discount.kind', {
              options: DISCOUNTS,
              defaultValue: kind,
              onChoice: setKind,
            })}
            {kind && (
              <>
                {line(kind === 'percent' ? 'Percent' : 'Dollars', 'discount.value', {
                  inputMode: 'decimal',
                  defaultValue: discount ? (discount.percent ?? toDollars(discount.amount)) : '',
                })}
                {line('Reason on the quote', 'discount.reason', {
                  maxLength: 200,
                  defaultValue: discount?.reason,
                })}
              </>
            )}
            {line('How it is paid', 'payment', {
              options: PAYMENTS,
              defaultValue: payment,
              onChoice: setPayment,
            })}
            {payment === 'invoice' &&
              line('Due in (days)', 'dueDays', {
                type: 'number',
                min: MIN_DUE_DAYS,
                max: MAX_DUE_DAYS,
                defaultValue: quote?.dueDays ?? DUE_DAYS,
              })}
            {line('Plan starts', 'startsOn', {
              type: 'date',
              optional: true,
              defaultValue: quote?.price.startsOn ?? '',
            })}
            {line('Valid for (days)', 'days', {
              type: 'number',
              min: 1,
              max: MAX_QUOTE_DAYS,
              defaultValue: QUOTE_DAYS,
            })}
          </div>
          <fieldset className="grid gap-3">
            <legend className="mb-2 text-sm font-medium text-ink">
              Charged once, on acceptance
            </legend>
            {[...Array(onceLines).keys()].map((place) => (
              <div key={place} className="grid grid-cols-[2fr_1fr] gap-4">
                {line('For', `once[${place}].label`, {
                  optional: true,
                  defaultValue: once[place]?.label,
                })}
                {line('Dollars', `once[${place}].amount`, {
                  inputMode: 'decimal',
                  defaultValue: once[place] && toDollars(once[place].amount),
                })}
              </div>
            ))}
            {onceLines < MAX_ONCE_LINES && (
              <Button
                variant="quiet"
                size="small"
                onClick={() => setOnceLines(onceLines + 1)}
                className="justify-self-start"
              >
                Add an amount
              </Button>
            )}
          </fieldset>
          {line('Note on the quote', 'note', {
            optional: true,
            rows: 2,
            maxLength: MAX_QUOTE_NOTE,
            defaultValue: quote?.note ?? '',
          })}
          <Checkbox name="send" defaultChecked label="Send the link to the customer" />
        </>
      )}
    </CallForm>
  );
}
