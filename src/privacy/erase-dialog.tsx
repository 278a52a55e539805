/** Asks before a person is erased, and says what to do afterwards. */
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { channelFacts } from '../notifications/outbox-api.ts';
import { recordPath } from '../routes.ts';
import { Panel } from '../ui/admin-page-layout.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import {
  type Erased,
  type ExternalCopies,
  KIND_LABELS,
  type Person,
  type StoredItem,
} from './person-api.ts';

interface EraseDialogProps {
  person: Person;
  open: boolean;
  erase: () => Promise<Erased>;
  onClose: () => void;
}

export function EraseDialog({ person, open, erase, onClose }: EraseDialogProps) {
  const { email, items, running } = person;
  const keptOrders = countByKind(items.filter(({ kind }) => kind === 'order'));
  const deleted = countByKind(items.filter(({ kind }) => kind !== 'order' && kind !== 'notice'));
  return (
    <Dialog open={open} onClose={onClose} title="Erase this person’s data" subtitle={email}>
      {running.length > 0 ? (
        <div className="grid gap-4 text-sm">
          <Notice kind="warning">
            <p>
              These orders are active or being paid, and their bills and receipts need this email
              address. Please end them first:
            </p>
            <ul className="mt-2 flex flex-wrap gap-x-4">
              {running.map(({ id, reference }) => (
                <li key={id}>
                  <Link
                    href={recordPath('orders', id)}
                    className="inline-flex min-h-8 items-center underline underline-offset-4"
                  >
                    {`Order ${reference}`}
                  </Link>
                </li>
              ))}
            </ul>
          </Notice>
          <Button variant="quiet" onClick={onClose} className="justify-self-start">
            Cancel
          </Button>
        </div>
      ) : (
        <Confirm verb="Erase permanently" act={erase} onClose={onClose}>
          <ul className="grid list-disc gap-2 pl-5">
            {deleted && (
              <li>
                <strong className="font-medium text-ink">{deleted}</strong> will be deleted. Pending
                notices about them won’t be sent.
              </li>
            )}
            {keptOrders && (
              <li>
                <strong className="font-medium text-ink">{keptOrders}</strong> will be kept for your
                books with the plan, amounts, history, and payment numbers, but without the name,
                email address, phone, and ZIP code. The buyer’s link and browser will no longer open
                any of it. Unpaid orders will be canceled.
              </li>
            )}
          </ul>
          <p>
            This can’t be undone. The activity log keeps who erased the data, when, and the
            reference numbers.
          </p>
        </Confirm>
      )}
    </Dialog>
  );
}

/** Takes the focus, because the button that had it is gone. */
export function ErasedPanel({ erased: { erased, kept, externalCopies } }: { erased: Erased }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div ref={panel} tabIndex={-1} className="rounded-card">
      <Panel heading="Erased">
        <div className="grid gap-4 text-sm">
          {erased.length > 0 && (
            <p className="wrap-anywhere tabular-nums">{`Deleted: ${erased.join(', ')}`}</p>
          )}
          {kept.length > 0 && (
            <p className="wrap-anywhere tabular-nums">
              {`Kept without personal details: ${kept.join(', ')}`}
            </p>
          )}
          <p className="font-medium text-ink">Still to do outside this site</p>
          <ExternalCopiesList copies={externalCopies} />
        </div>
      </Panel>
    </div>
  );
}

/** Copies that staff must find and delete by hand. */
export function ExternalCopiesList({ copies }: { copies: ExternalCopies }) {
  const { channels, providerCustomers } = copies;
  return (
    <ul className="grid list-disc gap-2 pl-5 text-sm">
      {providerCustomers.map(({ id, provider, url }) => (
        <li key={id}>
          <span>{`${provider} has customer `}</span>
          <code className="wrap-anywhere text-ink">
            {url === null ? (
              id
            ) : (
              <a href={url} target="_blank" rel="noopener" className="underline underline-offset-4">
                {id}
              </a>
            )}
          </code>
          <span>{`. Look it up in the ${provider} dashboard to export or delete what’s stored there.`}</span>
        </li>
      ))}
      {channels.map((name) => (
        <li key={name}>{channelFacts(name)?.copies ?? name}</li>
      ))}
      <li>Backups, until they are replaced.</li>
    </ul>
  );
}

/** For example '2 contact messages, 1 order'. */
export function countByKind(items: readonly StoredItem[]): string {
  return Object.entries(KIND_LABELS)
    .flatMap(([kind, label]) => {
      const count = items.filter((item) => item.kind === kind).length;
      return count === 0 ? [] : `${count} ${label.toLowerCase()}${count === 1 ? '' : 's'}`;
    })
    .join(', ');
}
