import { type FormEvent, useRef, useState } from 'react';
import { MS365_OPTIONS } from '../../catalogue/pricing.ts';
import { MAX_USERS } from '../../catalogue/user-count.ts';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { MAX_EMAIL } from '../../platform/fields.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFoot } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Textarea } from '../../ui/fields/textarea.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MAX_NOTE, MAX_QUOTE_DAYS, staffQuoteRequest } from '../quote.ts';
import { CHANGE_QUOTE, MAKE_QUOTE } from '../quote-contracts.ts';
import { readMade, type ToldQuoteRow } from '../read-quote.ts';
import { type Draft, draftOf, requestOf } from './quote-draft.ts';
import { usePlans, useQuoteAction } from './use-quotes.ts';

const OPTION_LABELS = {
  none: 'No Microsoft 365',
  business_standard: 'Business Standard',
  business_premium: 'Business Premium',
  e3: 'E3',
} as const;

interface StaffQuoteFormProps {
  quote: ToldQuoteRow | null;
  onMade: (quote: ToldQuoteRow) => void;
}

export function StaffQuoteForm({ quote, onMade }: StaffQuoteFormProps) {
  const plans = usePlans();
  const [draft, setDraft] = useState(() => draftOf(quote));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useQuoteAction<{ quote: ToldQuoteRow }>();
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  function refuse(issues: readonly { path: string; message: string }[]) {
    setFaults(Object.fromEntries(issues.map(({ path, message }) => [path, message])));
    form.current?.querySelector<HTMLElement>(`[name="${issues[0]?.path}"]`)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = requestOf(draft, quote);
    const asked = staffQuoteRequest.safeParse(body);
    if (!asked.success) {
      return refuse(
        asked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
      );
    }
    setFaults({});
    const send = () =>
      quote
        ? fetchCall(CHANGE_QUOTE, readMade, { params: { id: quote.id }, body })
        : fetchCall(MAKE_QUOTE, readMade, { body });
    action.mutate(send, {
      onSuccess: ({ quote: made }) => onMade(made),
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
        {action.error && (
          <Notice kind="error">
            {reasonOf(action.error, 'The quote could not be saved. Please try again.')}
          </Notice>
        )}
        <Button type="submit" size="large" busy={action.isPending} className="w-full">
          {quote ? 'Save changes' : 'Make quote'}
        </Button>
      </DialogFoot>
    </form>
  );
}

/** What is particular about a field; `path` is its name in what is sent. */
interface Line extends Omit<React.ComponentProps<'input'>, 'name' | 'value' | 'onChange'> {
  path?: string;
  optional?: boolean;
}
