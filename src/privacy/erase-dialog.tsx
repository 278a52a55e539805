/** Says what will be gone before it is, and why not if it cannot be. */
import { Link } from 'wouter';
import { reasonOf } from '../platform/fetch-call.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
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
  const { messages, chatMessages, quotes, orders } = counts;
  const close = () => {
    erasing.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title="Erase this person’s data" subtitle={email}>
      <div className="grid gap-4 text-sm">
        {running.length > 0 ? <StillRunning running={running} /> : <WhatGoes counts={counts} />}
        {erasing.error && (
          <Notice kind="error">
            {reasonOf(erasing.error, 'Couldn’t erase the data. Please try again.')}
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          {running.length === 0 && (
            <Button
              variant="danger"
              busy={erasing.isPending}
              onClick={() => erasing.mutate({ email, messages, chatMessages, quotes, orders })}
            >
              Erase permanently
            </Button>
          )}
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function WhatGoes({ counts }: Pick<Person, 'counts'>) {
  const { messages, chatMessages, quotes, orders } = counts;
  const deleted = countsInWords({ messages, chatMessages, quotes });
  return (
    <>
      <ul className="grid list-disc gap-2 pl-5">
        {deleted && (
          <li>
            <strong className="font-medium text-ink">{deleted}</strong> will be deleted. Pending
            notices about them won’t be sent.
          </li>
        )}
        {orders > 0 && (
          <li>
            <strong className="font-medium text-ink">{countsInWords({ orders })}</strong> will be
            kept for your books with the plan, amounts, history, and payment numbers, but without
            the name, email address, phone, and ZIP code. The buyer’s link and browser will no
            longer open any of it. Unpaid orders will be canceled.
          </li>
        )}
      </ul>
      <p>
        This can’t be undone. The activity log keeps who erased the data, when, and the reference
        numbers.
      </p>
    </>
  );
}

function StillRunning({ running }: Pick<Person, 'running'>) {
  return (
    <Notice kind="warning">
      <p>
        These orders are active or being paid, and their bills and receipts need this email address.
        Please cancel them first:
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
