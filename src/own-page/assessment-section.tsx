/** For who must assess their providers: the vendor file, and the Safeguards addendum. */
import { useState } from 'react';
import type { Company } from '../company/company.ts';
import { formatDay } from '../company/days.ts';
import { writeOrderHash } from '../orders/order-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { AddendumLink } from '../quotes/quote-view.tsx';
import { Button } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { ACCEPT_ADDENDUM, type OwnPage } from './own-page-api.ts';
import { type OwnPageProps, useChange } from './use-own-page.ts';

const LINK = 'text-primary underline underline-offset-4';
const ADDENDUM = <AddendumLink className={LINK} />;

export function AssessmentSection({ token, page }: OwnPageProps) {
  const { company } = useSite();
  const { addendum, addendumToday, mayChange } = page;
  const [isOpen, setOpen] = useState(false);
  const isNew = addendumToday !== null && addendumToday.hash !== addendum?.termsHash;
  return (
    <Sheet aria-label="Vendor file" className="print:hidden">
      <h2 className="text-lg">For your vendor review</h2>
      <p className="mt-2">
        Assessing your providers this year?{' '}
        <a href={writeOrderHash({ token, file: true })} className={LINK}>
          Print the vendor file
        </a>
        : services, access, insurance, subprocessors, and what was accepted.
      </p>
      {addendum && (
        <p className="mt-3">{`Safeguards addendum ${acceptedInWords(addendum, company)}`}</p>
      )}
      {mayChange && isNew && !isOpen && (
        <>
          <p className="mt-3">
            <span>Covered by the FTC Safeguards Rule? Accept the </span>
            {ADDENDUM}
            <span> for your company.</span>
          </p>
          <Button variant="quiet" size="small" className="mt-3" onClick={() => setOpen(true)}>
            Accept the addendum…
          </Button>
        </>
      )}
      {isNew && isOpen && (
        <AcceptAddendum
          token={token}
          page={page}
          hash={addendumToday.hash}
          onClose={() => setOpen(false)}
        />
      )}
    </Sheet>
  );
}

/** 'of May 13, 2026, accepted on November 27, 2026 by Dana Fox, CFO.' */
export function acceptedInWords(
  { at, name, title, termsDate }: NonNullable<OwnPage['addendum']>,
  company: Company,
): string {
  const by = [name, title].filter(Boolean).join(', ');
  return `of ${formatDate(termsDate)}, accepted on ${formatDay(company, Date.parse(at))} by ${by}.`;
}

interface AcceptAddendumProps extends OwnPageProps {
  hash: string;
  onClose: () => void;
}

function AcceptAddendum({ token, page, hash, onClose }: AcceptAddendumProps) {
  const { mutateAsync } = useChange(token);
  const { version, name } = page.order;
  return (
    <CallForm
      label="Accept the Safeguards addendum"
      schema={ACCEPT_ADDENDUM.body}
      read={(field) => ({
        ...{ token, hash, version },
        name: field('name'),
        title: field('title'),
      })}
      save={(body) => mutateAsync(() => fetchCall(ACCEPT_ADDENDUM, { body }))}
      onSaved={onClose}
      button="Accept the addendum"
      className="mt-5 max-w-md"
    >
      {(line) => (
        <>
          {line('Your name', 'name', {
            autoFocus: true,
            autoComplete: 'name',
            defaultValue: name,
          })}
          {line('Your title', 'title', { autoComplete: 'organization-title' })}
          <p>
            <span>By accepting, you agree to the </span>
            {ADDENDUM}
            <span> for your company.</span>
          </p>
        </>
      )}
    </CallForm>
  );
}
