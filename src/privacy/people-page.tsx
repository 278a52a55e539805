/** /admin/people: find, export and erase everything stored under one email address. */
import {
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { callUrl } from '../platform/contract.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { emailField, INVALID_EMAIL } from '../platform/fields.ts';
import { STAFF_PAGES } from '../routes.ts';
import { personPath } from '../staff/staff-links.ts';
import { AdminPageLayout } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink, TryAgainButton } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/fields.tsx';
import { Panel } from '../ui/layout.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Column, RecordTable } from '../ui/records/record-table.tsx';
import {
  DOWNLOAD_PERSON,
  ERASE_PERSON,
  type Erased,
  type ExternalCopies,
  FIND_PERSON,
  NOTHING_STORED,
  type Person,
  type StoredItem,
} from './person-api.ts';

export default function PeoplePage() {
  const email = new URLSearchParams(useSearch()).get('find') ?? '';
  return (
    <AdminPageLayout
      heading={STAFF_PAGES.people.title}
      lead="Everything a person has sent or bought under one email address. View it, export it, or erase it when they ask."
    >
      <FindPerson email={email} />
      {email && <PersonPanels key={email} email={email} />}
    </AdminPageLayout>
  );
}

function FindPerson({ email }: { email: string }) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  function find(event: FormEvent) {
    event.preventDefault();
    const { data: entered } = emailField().safeParse(field.current?.value);
    setError(entered ? undefined : INVALID_EMAIL);
    if (entered) navigate(personPath(entered));
    else field.current?.focus();
  }

  return (
    <search>
      <form noValidate onSubmit={find} className="flex flex-wrap items-start gap-3">
        <div className="w-full sm:w-96">
          <Field label="Email address" error={error}>
            {/* The key resets the field when the URL's address changes, also by the back button. */}
            <TextInput
              key={email}
              ref={field}
              defaultValue={email}
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="h-11"
            />
          </Field>
        </div>
        <Button type="submit" className="sm:mt-8">
          Find
        </Button>
      </form>
    </search>
  );
}

const findQuery = (email: string) => new URLSearchParams({ find: email });

type Erasing = UseMutationResult<Erased, Error, void>;

function PersonPanels({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['person', email],
    queryFn: ({ signal }) => fetchCall(FIND_PERSON, { query: findQuery(email), signal }),
  });
  const erasing: Erasing = useMutation({
    mutationFn: () => fetchCall(ERASE_PERSON, { body: { email } }),
    // Every list may have changed, even after a refusal: unpaid orders may have been canceled.
    onSettled: () => queryClient.invalidateQueries(),
  });
  const { data: person, error } = query;
  const isEmpty = person?.items.length === 0;
  const isErased = isEmpty && erasing.data !== undefined;
  return (
    <>
      {erasing.data && <ErasedPanel erased={erasing.data} />}
      {error && (
        <Notice kind="error">
          <p>{reasonOf(error, 'Couldn’t load the stored data.')}</p>
          <TryAgainButton busy={query.isFetching} onClick={() => query.refetch()} />
        </Notice>
      )}
      {(person || !error) && !isErased && (
        <Panel
          // The loaded panel has buttons and a taller head, so it replaces the loading one instead of resizing it.
          key={person ? 'found' : 'loading'}
          heading={<bdi className="wrap-anywhere">{person?.email ?? email}</bdi>}
          aside={person && !isEmpty && <PersonActions person={person} erasing={erasing} />}
        >
          {person && (
            <p role="status" className={isEmpty ? 'py-8 text-center text-sm' : 'mb-4 text-sm'}>
              {isEmpty
                ? `${NOTHING_STORED}. Please check the spelling.`
                : `${countByKind(person.items)}.`}
            </p>
          )}
          {!isEmpty && (
            <RecordTable
              caption="Stored data"
              columns={COLUMNS}
              items={person?.items ?? null}
              getRowId={({ kind, reference, id }) => `${kind} ${reference} ${id}`}
            />
          )}
        </Panel>
      )}
      {person && !isEmpty && (
        <Panel heading="Copies outside this site">
          <ExternalCopiesList copies={person.externalCopies} />
        </Panel>
      )}
    </>
  );
}

function PersonActions({ person, erasing }: { person: Person; erasing: Erasing }) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink
        href={callUrl(DOWNLOAD_PERSON, { query: findQuery(person.email) })}
        variant="quiet"
        size="small"
        download
      >
        <Download className="size-4" />
        Download
      </ButtonLink>
      <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
        Erase…
      </Button>
      <EraseDialog
        person={person}
        open={asking}
        erase={erasing.mutateAsync}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

/** The label of each kind, and the URL of the list that shows it in full. */
const KINDS: Record<StoredItem['kind'], { label: string; list?: string }> = {
  message: { label: 'Contact message', list: `${STAFF_PAGES.inbox.path}?` },
  chat: { label: 'Chat message', list: `${STAFF_PAGES.inbox.path}?list=conversations&` },
  quote: { label: 'Quote', list: `${STAFF_PAGES.quotes.path}?` },
  order: { label: 'Order', list: `${STAFF_PAGES.orders.path}?` },
  request: { label: 'Email request' },
  notice: { label: 'Notice' },
};
const COLUMNS: readonly Column<StoredItem>[] = [
  {
    heading: 'Date',
    width: 'w-40',
    className: 'whitespace-nowrap max-lg:order-5 max-lg:text-xs',
    cell: ({ at }) => <LocalTime at={at} />,
  },
  {
    heading: 'Number',
    width: 'w-32',
    className: 'tabular-nums max-lg:order-2 max-lg:justify-self-end',
    cell: Reference,
  },
  {
    heading: 'Kind',
    width: 'w-40',
    className: 'text-ink max-lg:order-1 max-lg:font-medium',
    cell: ({ kind }) => KINDS[kind].label,
  },
  {
    heading: 'Name',
    width: 'w-1/5',
    className: 'truncate max-lg:order-3 max-lg:col-span-2 max-lg:empty:hidden',
    cell: ({ name }) => name && <bdi>{name}</bdi>,
  },
  {
    heading: 'Content',
    className: 'truncate max-lg:order-4 max-lg:col-span-2',
    cell: ({ what }) => <bdi>{what}</bdi>,
  },
  {
    heading: 'Status',
    width: 'w-32',
    className: 'max-lg:order-6 max-lg:justify-self-end',
    cell: ({ state }) => state && <Badge>{stateLabel(state)}</Badge>,
  },
];

function Reference({ kind, id, reference }: StoredItem) {
  const { list } = KINDS[kind];
  if (!list) return <span className="text-muted">{reference}</span>;
  return (
    <Link href={`${list}open=${id}`} className="underline underline-offset-4">
      {reference}
    </Link>
  );
}

/** 'past_due' becomes 'Past due'; delivery states get the inbox's labels. */
function stateLabel(state: string): string {
  if (state === 'failed') return 'Failed';
  if (state === 'waiting') return 'Pending';
  return state.charAt(0).toUpperCase() + state.slice(1).replace('_', ' ');
}

interface EraseDialogProps {
  person: Person;
  open: boolean;
  erase: () => Promise<Erased>;
  onClose: () => void;
}

function EraseDialog({ person, open, erase, onClose }: EraseDialogProps) {
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
              address. Please cancel them first:
            </p>
            <ul className="mt-2 flex flex-wrap gap-x-4">
              {running.map((reference) => (
                <li key={reference}>
                  <Link
                    href={`${STAFF_PAGES.orders.path}?open=${reference.replace(/^\D+/, '')}`}
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
        <Confirm
          verb="Erase permanently"
          act={erase}
          failed="Couldn’t erase the data. Please try again."
          onClose={onClose}
        >
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
function ErasedPanel({ erased: { erased, kept, externalCopies } }: { erased: Erased }) {
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
function ExternalCopiesList({ copies }: { copies: ExternalCopies }) {
  const { teams, mail, sentItems, providerCustomers } = copies;
  return (
    <ul className="grid list-disc gap-2 pl-5 text-sm">
      {providerCustomers.map(({ id, provider, url }) => (
        <li key={id}>
          {provider} has customer{' '}
          <code className="wrap-anywhere text-ink">
            {url === null ? (
              id
            ) : (
              <a href={url} target="_blank" rel="noopener" className="underline underline-offset-4">
                {id}
              </a>
            )}
          </code>
          . Look it up in the {provider} dashboard to export or delete what’s stored there.
        </li>
      ))}
      {teams && (
        <li>
          Cards in Microsoft Teams. Search the channel for the reference numbers, such as C-12.
        </li>
      )}
      {mail && <li>Email in staff mailboxes. Search for the address and the reference numbers.</li>}
      {sentItems && <li>Email in Sent Items of the mailbox that this site sends from.</li>}
      <li>Backups, until they are replaced.</li>
    </ul>
  );
}

/** For example '2 contact messages, 1 order'. */
function countByKind(items: readonly StoredItem[]): string {
  return Object.entries(KINDS)
    .flatMap(([kind, { label }]) => {
      const count = items.filter((item) => item.kind === kind).length;
      return count === 0 ? [] : `${count} ${label.toLowerCase()}${count === 1 ? '' : 's'}`;
    })
    .join(', ');
}
