/** What is known about an open thread: its status and assignee, who wrote, what else they have. */

import { Link, useLocation } from 'wouter';
import { serviceLabel } from '../contact/contact.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { mailAddress } from '../platform/fields.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { personPath, STAFF_PAGES } from '../routes.ts';
import { useUsername } from '../staff/login.tsx';
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
  type Related as RelatedRecord,
  SET_STATUS,
  STATUS_LABELS,
  type Thread,
} from './inbox-api.ts';
import { useThreadCache } from './inbox-queries.ts';

/** The status and the assignee, each changed with one press. */
export function ThreadState({ thread }: { thread: OpenThread }) {
  const { id, status, mine } = thread;
  const username = useUsername();
  const { mutate, isPending } = useChange();
  const params = { id };
  return (
    <>
      <div className="[&_button]:h-8 [&_button]:px-2 [&_button]:text-xs panes:[&_button]:h-7">
        <SegmentedControl
          label="Mark as"
          value={status ?? 'new'}
          busy={isPending}
          segments={STAFF_STATUSES.map((value) => {
            // Only a message makes a thread wait; then there is no going back to new.
            const shown = value === 'new' && status === 'waiting' ? status : value;
            return { value: shown, label: STATUS_LABELS[shown] };
          })}
          onChange={(chosen) => {
            const status = STAFF_STATUSES.find((each) => each === chosen);
            if (!status) return;
            const waitsSince = status === 'new' ? thread.waitsSince : null;
            mutate({
              before: thread,
              shown: { status, waitsSince },
              save: () => fetchCall(SET_STATUS, { params, body: { status } }),
            });
          }}
        />
      </div>
      <Button
        variant="quiet"
        size="row"
        busy={isPending}
        className="max-xl:ml-auto"
        onClick={() =>
          mutate({
            before: thread,
            shown: { mine: !mine, assignee: mine ? null : username },
            save: () => fetchCall(ASSIGN_THREAD, { params, body: { mine: !mine } }),
          })
        }
      >
        {mine ? 'Release' : 'Take over'}
      </Button>
    </>
  );
}

interface Change {
  before: OpenThread;
  /** What is shown at once, unless the call is refused. */
  shown: Partial<OpenThread>;
  save: () => Promise<OpenThread>;
}

function useChange() {
  const threads = useThreadCache();
  return usePress({
    mutationFn: ({ save }: Change) => save(),
    onMutate: ({ before, shown }) => threads.paint({ ...before, ...shown }),
    onSuccess: threads.show,
    onError: (error, { before }) => {
      threads.paint(before);
      threads.failed(error);
      threads.reload(before.id);
    },
  });
}

interface ThreadBesideProps {
  /** The thread, or at least its row. */
  shown: Thread;
  thread: OpenThread | undefined;
}

/** The person first, then what they sent. */
export function ThreadBeside({ shown, thread }: ThreadBesideProps) {
  const { name, email, phone, kind } = shown;
  const related = thread?.person ?? [];
  const [, navigate] = useLocation();
  return (
    <>
      <DescriptionList
        items={{
          Name: name ? <bdi>{name}</bdi> : <NotProvided />,
          Phone: kind === 'contact' && <PhoneLink phone={phone} />,
          Email: <MailLink email={email} />,
        }}
      />
      <div className="mt-3 grid gap-3">
        <RunningPlan related={related} />
        {email && (
          <div className="flex flex-wrap items-center gap-x-4">
            <Button
              variant="quiet"
              size="small"
              onClick={() =>
                navigate(STAFF_PAGES.quotes.path, { state: { newQuote: { name, email } } })
              }
            >
              New quote…
            </Button>
            <Link
              href={personPath(email)}
              className="inline-flex min-h-11 items-center rounded-control underline underline-offset-4"
            >
              Everything from this address
            </Link>
          </div>
        )}
      </div>
      <Related related={related} />
      <Submission shown={shown} thread={thread} />
    </>
  );
}

/** What the person pays for; opens the order. */
export function RunningPlan({ related }: { related: readonly RelatedRecord[] }) {
  const plan = related.find(({ runs }) => runs);
  return (
    plan && (
      <Link
        href={plan.path}
        className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control border border-line px-3 py-1.5 text-sm hover:bg-paper-deep"
      >
        <span className="flex min-w-0 flex-wrap gap-x-2">
          <span className="font-medium text-ink">{plan.about}</span>
          {plan.amount !== null && (
            <span className="tabular-nums">{`${formatDollars(plan.amount)} a month`}</span>
          )}
        </span>
        {plan.badge && <Badge tone={plan.badge.tone}>{plan.badge.label}</Badge>}
      </Link>
    )
  );
}

function Related({ related }: { related: readonly RelatedRecord[] }) {
  if (related.length === 0) return null;
  return (
    <>
      <h3 className="mt-4 text-sm">Also from this person</h3>
      <ul className="mt-1">
        {related.map(({ reference, path, about, at, amount, badge }) => (
          <li key={path} className="border-b border-line">
            <Link href={path} className="block rounded-control py-2 hover:bg-paper-deep">
              <span className="flex items-baseline justify-between gap-2">
                <span className="min-w-0 truncate">
                  <span className="font-medium text-ink tabular-nums underline underline-offset-4">
                    {reference}
                  </span>{' '}
                  <span className="text-xs text-muted">
                    <LocalTime at={at} inList />
                  </span>
                </span>
                {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
              </span>
              <span className="flex justify-between gap-2 text-muted">
                <bdi className="min-w-0 truncate">{about}</bdi>
                {amount !== null && (
                  <span className="shrink-0 tabular-nums">{formatDollars(amount)}</span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function Submission({ shown, thread }: ThreadBesideProps) {
  const { kind, email, phone, service, createdAt } = shown;
  const isContact = kind === 'contact';
  const subject = `Re: Your inquiry to ${useSite().company.name}`;
  return (
    <>
      <h3 className="mt-4 text-sm">{isContact ? 'Submission' : 'Conversation'}</h3>
      <DescriptionList
        items={{
          'Submission Date': <LocalTime at={createdAt} />,
          Service: isContact && <ServiceBadge service={service} />,
          'Came from': thread?.source,
        }}
      />
      <div className="mt-3 flex flex-wrap gap-2">
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
        {thread && thread.waitsSince !== null && <AnsweredByMail thread={thread} />}
      </div>
    </>
  );
}

function AnsweredByMail({ thread }: { thread: OpenThread }) {
  const { mutate, isPending } = useChange();
  return (
    <Button
      variant="quiet"
      size="small"
      busy={isPending}
      onClick={() =>
        mutate({
          before: thread,
          shown: { status: 'answered', waitsSince: null },
          save: () => fetchCall(ANSWERED_BY_MAIL, { params: { id: thread.id } }),
        })
      }
    >
      Answered by email
    </Button>
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
