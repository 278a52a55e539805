/** A quote is made or changed by hand. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LIST_PLANS } from '../catalogue/catalogue.ts';
import { MAX_USERS, MS365_OPTIONS, readCount } from '../catalogue/pricing.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { MAX_EMAIL } from '../platform/fields.ts';
import { toDollars } from '../platform/money.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../ui/fields.tsx';
import { MAX_QUOTE_DAYS, QUOTE_DAYS } from './quote.ts';
import {
  CHANGE_QUOTE,
  MAKE_QUOTE,
  QUOTES_KEY,
  type QuoteRow,
  type StaffQuoteBody,
  staffQuoteRequest,
} from './quote-api.ts';
import { Line, NoteField, QuoteForm } from './quote-form.tsx';

interface StaffQuoteDialogProps {
  open: boolean;
  /** What is changed; null for a new one. */
  quote: QuoteRow | null;
  onClose: () => void;
  onMade?: (quote: QuoteRow) => void;
}

export function StaffQuoteDialog({ open, quote, onClose, onMade }: StaffQuoteDialogProps) {
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
        onMade={(made) => {
          queryClient.invalidateQueries({ queryKey: QUOTES_KEY });
          onClose();
          onMade?.(made);
        }}
      />
    </Dialog>
  );
}

/** What makes no sense becomes a number that the server's rules refuse at its field. */
function bodyOf(field: (name: string) => string, quote: QuoteRow | null): StaffQuoteBody {
  const number = (name: string) => readCount(field(name), 2 ** 31 - 1) ?? 0;
  const kind = field('discount.kind');
  const value = field('discount.value');
  return {
    name: field('name'),
    email: field('email'),
    company: field('company'),
    note: field('note'),
    planId: number('planId'),
    ms365Option: MS365_OPTIONS.find((each) => each === field('ms365Option')) ?? 'none',
    ms365Users: number('ms365Users'),
    includeCloudBackup: field('includeCloudBackup') !== '',
    discount:
      kind === 'percent' || kind === 'dollars'
        ? {
            kind,
            value: /^\d{1,8}(\.\d{1,2})?$/.test(value) ? Number(value) : 0,
            reason: field('discount.reason'),
          }
        : null,
    days: number('days'),
    send: field('send') !== '',
    ...(quote && { changedAt: quote.changedAt }),
  };
}

const OPTION_LABELS = {
  none: 'No Microsoft 365',
  business_standard: 'Business Standard',
  business_premium: 'Business Premium',
  e3: 'E3',
} as const;

interface StaffQuoteFormProps {
  quote: QuoteRow | null;
  onMade: (quote: QuoteRow) => void;
}

function StaffQuoteForm({ quote, onMade }: StaffQuoteFormProps) {
  const discount = quote?.discount;
  const [option, setOption] = useState<string>(quote?.ms365Option ?? 'none');
  const [kind, setKind] = useState(discount ? (discount.percent ? 'percent' : 'dollars') : '');
  const plans = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => fetchCall(LIST_PLANS, { signal }),
  });
  return (
    <QuoteForm
      label="Quote"
      schema={staffQuoteRequest}
      read={(field) => bodyOf(field, quote)}
      save={(body) =>
        quote
          ? fetchCall(CHANGE_QUOTE, { params: { id: quote.id }, body })
          : fetchCall(MAKE_QUOTE, { body })
      }
      onSaved={onMade}
      failed="The quote could not be saved. Please try again."
      button={quote ? 'Save changes' : 'Make quote'}
    >
      {(faults) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Line {...{ faults, label: 'Name', name: 'name' }} defaultValue={quote?.name} />
            <Line
              {...{ faults, label: 'Email', name: 'email' }}
              type="email"
              maxLength={MAX_EMAIL}
              defaultValue={quote?.email}
            />
            <Line
              {...{ faults, label: 'Company', name: 'company' }}
              optional
              defaultValue={quote?.company ?? ''}
            />
            <Field label="Plan" error={faults.planId}>
              {(control) => (
                // Its choice stands once there is something to choose from.
                <Select
                  key={plans.data ? 'plans' : ''}
                  {...control}
                  name="planId"
                  defaultValue={quote?.planId}
                >
                  <option value="">
                    {plans.isError ? 'Plans could not be loaded' : 'Choose…'}
                  </option>
                  {plans.data?.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Microsoft 365">
              {(control) => (
                <Select
                  {...control}
                  name="ms365Option"
                  value={option}
                  onChange={({ target }) => setOption(target.value)}
                >
                  {MS365_OPTIONS.map((each) => (
                    <option key={each} value={each}>
                      {OPTION_LABELS[each]}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            {option !== 'none' && (
              <Line
                {...{ faults, label: 'Users', name: 'ms365Users' }}
                type="number"
                min={1}
                max={MAX_USERS}
                defaultValue={quote?.ms365Users || 1}
              />
            )}
          </div>
          {option !== 'none' && (
            <Checkbox
              name="includeCloudBackup"
              defaultChecked={quote?.includeCloudBackup}
              label="Cloud backup"
            />
          )}
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label="Discount on the plan">
              {(control) => (
                <Select
                  {...control}
                  name="discount.kind"
                  value={kind}
                  onChange={({ target }) => setKind(target.value)}
                >
                  <option value="">None</option>
                  <option value="percent">Percent</option>
                  <option value="dollars">Dollars a month</option>
                </Select>
              )}
            </Field>
            {kind && (
              <>
                <Line
                  {...{ faults, label: kind === 'percent' ? 'Percent' : 'Dollars' }}
                  name="discount.value"
                  inputMode="decimal"
                  defaultValue={discount ? (discount.percent ?? toDollars(discount.amount)) : ''}
                />
                <Line
                  {...{ faults, label: 'Reason on the quote', name: 'discount.reason' }}
                  maxLength={200}
                  defaultValue={discount?.reason}
                />
              </>
            )}
          </div>
          <NoteField faults={faults} defaultValue={quote?.note ?? ''} />
          <Line
            {...{ faults, label: 'Valid for days', name: 'days' }}
            type="number"
            min={1}
            max={MAX_QUOTE_DAYS}
            className="max-w-40"
            defaultValue={QUOTE_DAYS}
          />
          <Checkbox name="send" defaultChecked label="Send the link to the customer" />
        </>
      )}
    </QuoteForm>
  );
}
