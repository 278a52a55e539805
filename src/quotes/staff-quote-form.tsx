/** A quote is made or changed by hand. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { LIST_PLANS } from '../catalogue/catalogue.ts';
import { MAX_USERS, MS365_OPTIONS, readCount } from '../catalogue/pricing.ts';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { MAX_EMAIL } from '../platform/fields.ts';
import { toDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Checkbox, Field, Select, Textarea, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { MAX_QUOTE_DAYS, QUOTE_DAYS } from './quote.ts';
import {
  CHANGE_QUOTE,
  MAKE_QUOTE,
  MAX_NOTE,
  type QuoteRow,
  type StaffQuoteBody,
  staffQuoteRequest,
} from './quote-api.ts';
import { useQuoteAction } from './use-quotes.ts';

interface StaffQuoteDialogProps {
  open: boolean;
  /** What is changed; null for a new one. */
  quote: QuoteRow | null;
  onClose: () => void;
  onMade?: (quote: QuoteRow) => void;
}

export function StaffQuoteDialog({ open, quote, onClose, onMade }: StaffQuoteDialogProps) {
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
          onClose();
          onMade?.(made);
        }}
      />
    </Dialog>
  );
}

type Draft = ReturnType<typeof draftOf>;

/** What the fields begin with: the quote that is changed, or nothing. */
function draftOf(quote: QuoteRow | null) {
  const discount = quote?.discount;
  return {
    name: quote?.name ?? '',
    email: quote?.email ?? '',
    company: quote?.company ?? '',
    /** '' until one is chosen. */
    planId: quote ? String(quote.planId) : '',
    ms365Option: quote?.ms365Option ?? 'none',
    ms365Users: String(quote?.ms365Users || 1),
    includeCloudBackup: quote?.includeCloudBackup ?? false,
    discountKind: discount ? (discount.percent ? 'percent' : 'dollars') : '',
    discountValue: discount ? String(discount.percent ?? toDollars(discount.amount)) : '',
    discountReason: discount?.reason ?? '',
    note: quote?.note ?? '',
    days: String(QUOTE_DAYS),
    send: true,
  };
}

/** What makes no sense becomes a number that the server's rules refuse at its field. */
function bodyOf(draft: Draft, quote: QuoteRow | null): StaffQuoteBody {
  const { planId, ms365Users, discountKind, discountValue, discountReason, days, ...rest } = draft;
  return {
    ...rest,
    planId: readCount(planId, 2 ** 31 - 1) ?? 0,
    ms365Users: readCount(ms365Users, 9_999) ?? 0,
    discount:
      discountKind === 'percent' || discountKind === 'dollars'
        ? {
            kind: discountKind,
            value: /^\d{1,8}(\.\d{1,2})?$/.test(discountValue) ? Number(discountValue) : 0,
            reason: discountReason,
          }
        : null,
    days: readCount(days, 9_999) ?? 0,
    ...(quote && { changedAt: quote.changedAt }),
  };
}

const OPTION_LABELS = {
  none: 'No Microsoft 365',
  business_standard: 'Business Standard',
  business_premium: 'Business Premium',
  e3: 'E3',
} as const;

/** What is particular about a field; `path` is its name in what is sent. */
interface Line extends Omit<React.ComponentProps<'input'>, 'name' | 'value' | 'onChange'> {
  path?: string;
  optional?: boolean;
}

interface StaffQuoteFormProps {
  quote: QuoteRow | null;
  onMade: (quote: QuoteRow) => void;
}

function StaffQuoteForm({ quote, onMade }: StaffQuoteFormProps) {
  const [draft, setDraft] = useState(() => draftOf(quote));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  const saving = useQuoteAction((body: StaffQuoteBody) =>
    quote
      ? fetchCall(CHANGE_QUOTE, { params: { id: quote.id }, body })
      : fetchCall(MAKE_QUOTE, { body }),
  );
  const plans = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => fetchCall(LIST_PLANS, { signal }),
  });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  function refuse(issues: readonly { path: string; message: string }[]) {
    setFaults(Object.fromEntries(issues.map(({ path, message }) => [path, message])));
    form.current?.querySelector<HTMLElement>(`[name="${issues[0]?.path}"]`)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = bodyOf(draft, quote);
    const issues = staffQuoteRequest.safeParse(body).error?.issues ?? [];
    if (issues.length > 0)
      return refuse(issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    setFaults({});
    saving.mutate(body, {
      onSuccess: (made) => onMade(made.quote),
      onError: (error) => error instanceof CallError && refuse(error.errors),
    });
  }

  const line = (name: keyof Draft & string, label: string, more: Line = {}) => {
    const { path = name, optional = false, ...input } = more;
    return (
      <Field label={label} optional={optional} error={faults[path]}>
        {(control) => (
          <TextInput
            {...control}
            {...input}
            name={path}
            value={String(draft[name])}
            onChange={({ target }) => change({ [name]: target.value })}
          />
        )}
      </Field>
    );
  };

  return (
    <form ref={form} noValidate onSubmit={submit} aria-label="Quote" className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {line('name', 'Name', { maxLength: 100 })}
        {line('email', 'Email', { type: 'email', maxLength: MAX_EMAIL })}
        {line('company', 'Company', { optional: true, maxLength: 100 })}
        <Field label="Plan" error={faults.planId}>
          {(control) => (
            <Select
              {...control}
              name="planId"
              value={draft.planId}
              onChange={({ target }) => change({ planId: target.value })}
            >
              <option value="">{plans.isError ? 'Plans could not be loaded' : 'Choose…'}</option>
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
              value={draft.ms365Option}
              onChange={({ target }) =>
                change({
                  ms365Option: MS365_OPTIONS.find((each) => each === target.value) ?? 'none',
                })
              }
            >
              {MS365_OPTIONS.map((option) => (
                <option key={option} value={option}>
                  {OPTION_LABELS[option]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {draft.ms365Option !== 'none' &&
          line('ms365Users', 'Users', { type: 'number', min: 1, max: MAX_USERS })}
      </div>
      {draft.ms365Option !== 'none' && (
        <Checkbox
          checked={draft.includeCloudBackup}
          onChange={({ target }) => change({ includeCloudBackup: target.checked })}
          label="Cloud backup"
        />
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Discount on the plan">
          {(control) => (
            <Select
              {...control}
              value={draft.discountKind}
              onChange={({ target }) => change({ discountKind: target.value })}
            >
              <option value="">None</option>
              <option value="percent">Percent</option>
              <option value="dollars">Dollars a month</option>
            </Select>
          )}
        </Field>
        {draft.discountKind && (
          <>
            {line('discountValue', draft.discountKind === 'percent' ? 'Percent' : 'Dollars', {
              path: 'discount.value',
              inputMode: 'decimal',
            })}
            {line('discountReason', 'Reason on the quote', {
              path: 'discount.reason',
              maxLength: 200,
            })}
          </>
        )}
      </div>
      <Field label="Note on the quote" optional error={faults.note}>
        {(control) => (
          <Textarea
            {...control}
            name="note"
            rows={3}
            maxLength={MAX_NOTE}
            value={draft.note}
            onChange={({ target }) => change({ note: target.value })}
          />
        )}
      </Field>
      {line('days', 'Valid for days', {
        type: 'number',
        min: 1,
        max: MAX_QUOTE_DAYS,
        className: 'max-w-40',
      })}
      <Checkbox
        checked={draft.send}
        onChange={({ target }) => change({ send: target.checked })}
        label="Send the link to the customer"
      />
      <DialogFoot>
        {saving.error && (
          <Notice kind="error">
            {reasonOf(saving.error, 'The quote could not be saved. Please try again.')}
          </Notice>
        )}
        <Button type="submit" size="large" busy={saving.isPending} className="w-full">
          {quote ? 'Save changes' : 'Make quote'}
        </Button>
      </DialogFoot>
    </form>
  );
}
