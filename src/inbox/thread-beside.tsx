/** What stands beside an open thread: status, assignee, who wrote, what else they have. */

import { Link } from 'wouter';
import { serviceLabel } from '../contact/contact.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { mailAddress } from '../platform/fields.ts';
import { useSite } from '../platform/site.ts';
import { personPath } from '../routes.ts';
import { STAFF_STATUSES } from '../threads/thread.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { usePress } from '../ui/presses.ts';
import { callAddress, MailLink, NotProvided, PhoneLink } from '../ui/records/person-links.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import {
  ANSWERED_BY_MAIL,
  ASSIGN_THREAD,
  type OpenThread,
  SET_STATUS,
  STATUS_LABELS,
  type Thread,
} from './inbox-api.ts';
import { useThreadCache } from './inbox-queries.ts';

interface ThreadBesideProps {
  /** The thread, or at least its row. */
  shown: Thread;
  thread: OpenThread | undefined;
}

export function ThreadBeside({ shown, thread }: ThreadBesideProps) {
  return (
    <>
      {thread && <ThreadState thread={thread} />}
      <Sender thread={shown} />
      <Person email={shown.email} thread={thread} />
    </>
  );
}

/** The status, the assignee, and what staff can say about the thread with one press. */
function ThreadState({ thread }: { thread: OpenThread }) {
  const { id, status, assignee, mine, waitsSince } = thread;
  const { mutate, isPending } = useChange();
  const params = { id };
  return (
    <div className="grid justify-items-start gap-2">
      <span className="flex min-h-6 items-center gap-2">
        <span aria-hidden="true" className="text-muted">
          Mark as
        </span>
        {status === 'waiting' && <Badge tone="amber">{STATUS_LABELS.waiting}</Badge>}
      </span>
      <SegmentedControl
        label="Mark as"
        value={status ?? 'new'}
        busy={isPending}
        segments={STAFF_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))}
        onChange={(chosen) => {
          const status = STAFF_STATUSES.find((each) => each === chosen);
          if (status) mutate(() => fetchCall(SET_STATUS, { params, body: { status } }));
        }}
      />
      {waitsSince !== null && (
        <Button
          variant="quiet"
          size="small"
          busy={isPending}
          onClick={() => mutate(() => fetchCall(ANSWERED_BY_MAIL, { params }))}
        >
          Answered by mail
        </Button>
      )}
      <p className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
        {assignee !== null && (
          <span className="min-w-0 wrap-anywhere">
            <span className="text-muted">With </span>
            <bdi className="font-medium text-ink">{assignee}</bdi>
          </span>
        )}
        <Button
          variant="quiet"
          size="small"
          busy={isPending}
          onClick={() => mutate(() => fetchCall(ASSIGN_THREAD, { params, body: { mine: !mine } }))}
        >
          {mine ? 'Release' : 'Take over'}
        </Button>
      </p>
    </div>
  );
}

function useChange() {
  const threads = useThreadCache();
  return usePress({
    mutationFn: (change: () => Promise<OpenThread>) => change(),
    onSuccess: threads.show,
    onError: threads.failed,
  });
}

function Sender({ thread }: { thread: Thread }) {
  const { kind, name, email, phone, service, createdAt } = thread;
  const subject = `Re: Your inquiry to ${useSite().company.name}`;
  const isContact = kind === 'contact';
  return (
    <>
      <DescriptionList
        items={{
          Name: name ? <bdi>{name}</bdi> : <NotProvided />,
          Email: <MailLink email={email} />,
          Phone: isContact && <PhoneLink phone={phone} />,
          Service: isContact && <ServiceBadge service={service} />,
          'Submission Date': isContact && <LocalTime at={createdAt} />,
        }}
      />
      <div className="my-4 flex flex-wrap gap-2">
        {email && (
          <ButtonLink href={mailAddress(email, subject)} variant="quiet" size="small">
            Reply by Email
          </ButtonLink>
        )}
        {phone && (
          <ButtonLink href={callAddress(phone)} variant="quiet" size="small">
            Call
          </ButtonLink>
        )}
      </div>
    </>
  );
}

/** The service's label, or its value if it is no longer offered. */
export function ServiceBadge({ service }: { service: string | null }) {
  const { company } = useSite();
  if (!service) return <span className="truncate text-muted">Not specified</span>;
  return (
    <Badge>
      <bdi className="truncate">{serviceLabel(company, service) ?? service}</bdi>
    </Badge>
  );
}

function Person({ email, thread }: { email: string; thread: OpenThread | undefined }) {
  const { source = null, person: related = [] } = thread ?? {};
  return (
    <>
      {source && (
        <>
          <h3 className="text-sm">Where they came from</h3>
          <p className="mt-1 mb-3 wrap-anywhere">{source}</p>
        </>
      )}
      {related.length > 0 && (
        <>
          <h3 className="text-sm">Also from this person</h3>
          <ul className="mt-1 mb-3">
            {related.map(({ reference, path, about, at }) => (
              <li key={path} className="border-b border-line">
                <Link href={path} className="block rounded-control py-2 hover:bg-paper-deep">
                  <span className="font-medium text-ink tabular-nums underline underline-offset-4">
                    {reference}
                  </span>{' '}
                  <span className="text-xs text-muted">
                    <LocalTime at={at} />
                  </span>
                  <bdi className="block truncate text-muted">{about}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {email && (
        <Link
          href={personPath(email)}
          className="inline-flex min-h-11 items-center rounded-control underline underline-offset-4"
        >
          Everything from this address
        </Link>
      )}
    </>
  );
}
