/** The address that receipts bear: shown, and changed in its place. */
import { type FormEvent, useState } from 'react';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Textarea } from '../ui/fields/textarea.tsx';
import { Notice } from '../ui/notice.tsx';
import { SET_ADDRESS } from './account-contracts.ts';
import { readAccount } from './read-account.ts';
import type { AccountPart } from './use-account.ts';

export function BillingAddress({
  token,
  account: { billingAddress: address, mayChange },
  acting,
}: AccountPart) {
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function save(event: FormEvent) {
    event.preventDefault();
    const body = { token, address: draft ?? '' };
    const why = await acting.act('address', () => fetchCall(SET_ADDRESS, readAccount, { body }));
    setProblem(why);
    if (why === null) setDraft(null);
  }

  if (draft === null)
    return (
      <div className="mt-5 flex flex-wrap items-start justify-between gap-3 border-t border-line pt-5 text-sm print:hidden">
        <div>
          <h3 className="text-sm font-medium text-ink">Billing address</h3>
          <p className="mt-1 whitespace-pre-line">
            {address ?? (mayChange ? 'Add an address, and your receipts will show it.' : 'None')}
          </p>
        </div>
        {mayChange && (
          <Button variant="quiet" size="small" onClick={() => setDraft(address ?? '')}>
            {address ? 'Edit address' : 'Add address'}
          </Button>
        )}
      </div>
    );
  return (
    <form
      noValidate
      onSubmit={save}
      aria-label="Billing address"
      className="mt-5 grid max-w-md gap-4 border-t border-line pt-5"
    >
      <Field label="Billing address" hint="It stands on your receipts. Up to 6 lines.">
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={4}
            maxLength={300}
            autoComplete="street-address"
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
        )}
      </Field>
      {problem && <Notice kind="error">{problem}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="small" busy={acting.busy === 'address'}>
          Save address
        </Button>
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            setProblem(null);
            setDraft(null);
          }}
        >
          Back
        </Button>
      </div>
    </form>
  );
}
