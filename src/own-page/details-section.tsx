/** Who the customer is, for papers and mails; the customer, or staff, correct it. */
import { useState } from 'react';
import { type OrderHash, writeOrderHash } from '../orders/order-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { CallForm, type RenderField } from '../ui/call-form.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { ASK_FOR_EMAIL, CONFIRM_EMAIL, type OwnPage, SET_DETAILS } from './own-page-api.ts';
import { type OwnPageProps, useChange } from './use-own-page.ts';

export function readDetails(field: (name: string) => string) {
  return {
    name: field('name'),
    company: field('company'),
    phone: field('phone'),
    billingAddress: field('billingAddress'),
    billsTo: field('billsTo') || null,
  };
}

export function DetailFields({ line, page }: { line: RenderField; page: OwnPage }) {
  const { order, billingAddress, billsTo } = page;
  return (
    <>
      {line('Name', 'name', {
        autoFocus: true,
        autoComplete: 'name',
        defaultValue: order.name,
      })}
      {line('Company', 'company', {
        optional: true,
        autoComplete: 'organization',
        defaultValue: order.company ?? '',
      })}
      {line('Phone', 'phone', {
        optional: true,
        type: 'tel',
        autoComplete: 'tel',
        defaultValue: order.phone ?? '',
      })}
      {line('Billing address', 'billingAddress', {
        optional: true,
        rows: 4,
        autoComplete: 'street-address',
        defaultValue: billingAddress ?? '',
        hint: 'Shown on your receipts. Up to 6 lines.',
      })}
      {line('Copies of papers to', 'billsTo', {
        optional: true,
        type: 'email',
        autoComplete: 'off',
        defaultValue: billsTo ?? '',
        hint: 'Gets receipts, invoices, and notices of failed charges. Can see the order, but not change it.',
      })}
    </>
  );
}

export function DetailsSection({ token, page }: OwnPageProps) {
  const { mail } = useSite();
  const { order, billingAddress, billsTo, mayChange } = page;
  const [editing, setEditing] = useState<'details' | 'email' | null>(null);
  return (
    <Sheet aria-label="Contact and billing" className="print:hidden">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h2 className="text-lg">Contact and billing</h2>
        {mayChange && !editing && (
          <div className="flex flex-wrap gap-3 max-sm:*:px-2.5">
            <Button variant="quiet" size="small" onClick={() => setEditing('details')}>
              Edit details
            </Button>
            {mail && (
              <Button variant="quiet" size="small" onClick={() => setEditing('email')}>
                Change email…
              </Button>
            )}
          </div>
        )}
      </div>
      {editing === 'details' ? (
        <EditDetails token={token} page={page} onClose={() => setEditing(null)} />
      ) : (
        <div className="grid gap-x-8 sm:grid-cols-2 max-sm:min-[22rem]:*:grid-cols-[5rem_1fr]!">
          <DescriptionList
            items={{
              Name: order.name,
              Company: order.company,
              Phone: order.phone,
              Email: order.email,
            }}
          />
          <DescriptionList
            items={{
              Address: <span className="whitespace-pre-line">{billingAddress ?? 'None'}</span>,
              'Copies to': billsTo,
            }}
          />
        </div>
      )}
      {editing === 'email' && <AskForEmail token={token} />}
      {editing && (
        <Button variant="quiet" size="small" className="mt-3" onClick={() => setEditing(null)}>
          Back
        </Button>
      )}
    </Sheet>
  );
}

function EditDetails({ token, page, onClose }: OwnPageProps & { onClose: () => void }) {
  const { mutateAsync } = useChange(token);
  const { version } = page.order;
  return (
    <CallForm
      label="Contact and billing"
      schema={SET_DETAILS.body}
      read={(field) => ({ token, version, ...readDetails(field) })}
      save={(body) => mutateAsync(() => fetchCall(SET_DETAILS, { body }))}
      onSaved={onClose}
      button="Save details"
      className="mt-5 max-w-md"
    >
      {(line) => <DetailFields line={line} page={page} />}
    </CallForm>
  );
}

function AskForEmail({ token }: { token: string }) {
  return (
    <div className="mt-5 border-t border-line pt-5">
      <CallForm
        label="Change email"
        schema={ASK_FOR_EMAIL.body}
        read={(field) => ({ token, email: field('email') })}
        save={async (body) => {
          await fetchCall(ASK_FOR_EMAIL, { body });
          return body.email;
        }}
        button="Email a link"
        className="max-w-md"
      >
        {(line, sentTo) => (
          <>
            {line('New email', 'email', {
              autoFocus: true,
              type: 'email',
              autoComplete: 'email',
              hint: 'We email it a link. The address changes once the link is opened, and we email the old one.',
            })}
            {sentTo && (
              <Notice kind="success">
                {`A link to ${sentTo} is on its way. It works once and expires in 30 minutes.`}
              </Notice>
            )}
          </>
        )}
      </CallForm>
    </div>
  );
}

export function ConfirmEmail({ token, email: key, place }: OrderHash) {
  const { isPending, problem, mutate } = useChange(token);
  if (key === null) return null;
  const confirm = () =>
    mutate(async () => {
      const confirmed = await fetchCall(CONFIRM_EMAIL, { body: { token, key } });
      window.history.replaceState(null, '', writeOrderHash({ token, place }));
      // This part is gone once the page may change the plan.
      showToast({
        title: 'Email address confirmed',
        description: 'Receipts and links for this order go to your address from now on.',
      });
      return confirmed;
    });
  return (
    <Sheet aria-label="Confirm your email address" className="grid gap-4 print:hidden">
      <h2 className="text-lg">Confirm your email address</h2>
      {problem && <Notice kind="error">{problem}</Notice>}
      <p className="text-sm">
        Receipts and links for this order will go to the address that got the link, and no longer to
        the one before.
      </p>
      <Button busy={isPending} onClick={confirm} className="justify-self-start">
        Confirm this address
      </Button>
    </Sheet>
  );
}
