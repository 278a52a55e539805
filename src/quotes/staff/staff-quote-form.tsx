import { MAX_USERS } from '../../catalogue/user-count.ts';
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
import { MAX_NOTE, MAX_QUOTE_DAYS } from '../quote.ts';
import type { ToldQuoteRow } from '../read-quote.ts';
import { PlanFields } from './plan-fields.tsx';
import type { Draft } from './quote-draft.ts';
import { useStaffQuote } from './use-staff-quote.ts';

interface StaffQuoteFormProps {
  quote: ToldQuoteRow | null;
  onMade: (quote: ToldQuoteRow) => void;
}

export function StaffQuoteForm({ quote, onMade }: StaffQuoteFormProps) {
  const { draft, faults, change, form, submit, action } = useStaffQuote(quote, onMade);
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
        <PlanFields draft={draft} fault={faults.planId} change={change} />
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
