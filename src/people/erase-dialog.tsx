/** Says what will be gone before it is, and why not if it cannot be. */

import { Link } from 'wouter';
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { countsInWords } from './person-counts.ts';
import type { Person } from './person-shapes.ts';
import type { useErasing } from './use-person.ts';

interface EraseDialogProps {
  person: Person;
  open: boolean;
  erasing: ReturnType<typeof useErasing>;
  onClose: () => void;
}

export function EraseDialog({ person, open, erasing, onClose }: EraseDialogProps) {
  const { email, counts, running } = person;
  const { messages, chatMessages, orders } = counts;
  const close = () => {
    erasing.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title="Erase this person's data" subtitle={email}>
      <div className="grid gap-4 text-sm">
        {running.length > 0 ? <StillRunning running={running} /> : <WhatGoes counts={counts} />}
        {erasing.error && (
          <Notice kind="error">
            {reasonOf(erasing.error, 'It was not done. Please try again.')}
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          {running.length === 0 && (
            <Button
              variant="danger"
              busy={erasing.isPending}
              onClick={() => erasing.mutate({ email, messages, chatMessages, orders })}
            >
              Erase for good
            </Button>
          )}
          <Button variant="quiet" onClick={close}>
            Keep as it is
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function WhatGoes({ counts }: Pick<Person, 'counts'>) {
  const { messages, chatMessages, orders } = counts;
  const deleted = countsInWords({ messages, chatMessages });
  return (
    <>
      <ul className="grid list-disc gap-2 pl-5">
        {deleted && (
          <li>
            <strong className="font-medium text-ink">{deleted}</strong> will be deleted. Notices
            about them that still wait are not sent.
          </li>
        )}
        {orders > 0 && (
          <li>
            <strong className="font-medium text-ink">{countsInWords({ orders })}</strong> will stay
            for the books, with plan, amounts, history and payment numbers, but without name,
            address, phone and ZIP code. The buyer's link and browser no longer show it. Orders that
            have not been paid are ended.
          </li>
        )}
      </ul>
      <p>
        This cannot be undone. It is written down who did it and when, with the numbers of what was
        erased.
      </p>
    </>
  );
}

function StillRunning({ running }: Pick<Person, 'running'>) {
  return (
    <Notice kind="warning">
      <p>
        These orders are running or being paid, and their bills and receipts need the address.
        Please end them first:
      </p>
      <ul className="mt-2 flex flex-wrap gap-x-4">
        {running.map((reference) => (
          <li key={reference}>
            <Link
              href={`${STAFF_PAGES.orders.path}?open=${reference.replace(/^\D+/, '')}`}
              className="inline-flex min-h-8 items-center underline underline-offset-4"
            >
              Order {reference}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
