/** /admin/people: everything that is stored under one email address, to be exported or erased. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { addressOf } from '../platform/contract.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { INVALID_EMAIL, isEmail } from '../platform/fields.ts';
import { personPath, STAFF_PAGES } from '../staff/staff-pages.ts';
import { Button, ButtonLink, TryAgain } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/fields.tsx';
import { Panel } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { Workbench } from '../ui/workbench.tsx';
import {
  DOWNLOAD_PERSON,
  ERASE_PERSON,
  type Erased,
  type ExternalCopies,
  FIND_PERSON,
  MOST_SHOWN,
  NOTHING_STORED,
  type Person,
  type PersonCounts,
} from './person-api.ts';
import { StoredTable } from './stored-table.tsx';

export default function PeoplePage() {
  const email = new URLSearchParams(useSearch()).get('find') ?? '';
  return (
    <Workbench
      heading={STAFF_PAGES.people.title}
      lead="Everything a person has sent or bought under one email address. View it, export it, or erase it when they ask."
    >
      <FindPerson email={email} />
      {email && <PersonPanels key={email} email={email} />}
    </Workbench>
  );
}

function FindPerson({ email }: { email: string }) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState(email);
  const [seen, setSeen] = useState(email);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  // The address changed by itself, such as by the back button.
  if (email !== seen) {
    setSeen(email);
    setTyped(email);
  }

  function find(event: FormEvent) {
    event.preventDefault();
    const wanted = typed.trim();
    const valid = isEmail(wanted);
    setError(valid ? undefined : INVALID_EMAIL);
    if (valid) navigate(personPath(wanted));
    else field.current?.focus();
  }

  return (
    <search>
      <form noValidate onSubmit={find} className="flex flex-wrap items-start gap-3">
        <div className="w-full sm:w-96">
          <Field label="Email address" error={error}>
            {(control) => (
              <TextInput
                {...control}
                ref={field}
                type="email"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                className="h-11"
              />
            )}
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

function usePerson(email: string) {
  return useQuery({
    queryKey: ['person', email],
    queryFn: ({ signal }) => fetchCall(FIND_PERSON, { query: findQuery(email), signal }),
    refetchOnMount: 'always',
  });
}

/** What is shown of this person, and in any other list, follows, also when it was refused. */
function useErasing() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => fetchCall(ERASE_PERSON, { body: { email } }),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

function PersonPanels({ email }: { email: string }) {
  const { data: person, error, isFetching, refetch } = usePerson(email);
  const erasing = useErasing();
  const nothing = person?.items.length === 0;
  return (
    <>
      {erasing.data && <ErasedPanel erased={erasing.data} />}
      {error && (
        <Notice kind="error">
          <p>{reasonOf(error, 'Couldn’t load the stored data.')}</p>
          <TryAgain busy={isFetching} onClick={() => refetch()} />
        </Notice>
      )}
      {!person && !error && (
        <Panel heading={email}>
          <StoredTable items={null} />
        </Panel>
      )}
      {person && nothing && !erasing.isPending && !erasing.data && <Nothing email={person.email} />}
      {person && !nothing && <Found person={person} erasing={erasing} />}
    </>
  );
}

function Nothing({ email }: { email: string }) {
  return (
    <Panel heading={<bdi>{email}</bdi>}>
      <p role="status" className="py-8 text-center text-sm">
        {NOTHING_STORED}. Please check the spelling.
      </p>
    </Panel>
  );
}

function Found({ person, erasing }: { person: Person; erasing: ReturnType<typeof useErasing> }) {
  const { email, counts, items, externalCopies } = person;
  const [asking, setAsking] = useState(false);
  const more = Object.values(counts).some((count) => count > MOST_SHOWN);
  return (
    <>
      <Panel
        heading={<bdi className="wrap-anywhere">{email}</bdi>}
        aside={
          <div className="flex flex-wrap gap-2">
            <ButtonLink
              href={addressOf(DOWNLOAD_PERSON, { query: findQuery(email) })}
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
          </div>
        }
      >
        <p role="status" className="mb-4 text-sm">
          {countsInWords(counts)}.
          {more &&
            ` Showing the newest ${MOST_SHOWN} of each kind. The download includes everything.`}
        </p>
        <StoredTable items={items} />
      </Panel>
      <Panel heading="Copies outside this site">
        <ExternalCopiesList copies={externalCopies} />
      </Panel>
      <EraseDialog
        person={person}
        open={asking}
        erasing={erasing}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

interface EraseDialogProps {
  person: Person;
  open: boolean;
  erasing: ReturnType<typeof useErasing>;
  onClose: () => void;
}

/** Says what will be gone before it is, and why not if it cannot be. */
function EraseDialog({ person, open, erasing, onClose }: EraseDialogProps) {
  const { email, counts, running } = person;
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
            <Button variant="danger" busy={erasing.isPending} onClick={() => erasing.mutate(email)}>
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
  const { orders, notices: _, ...others } = counts;
  const deleted = countsInWords(others);
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

/** The focus comes here: what it was on is gone. */
function ErasedPanel({ erased: { erased, kept, externalCopies } }: { erased: Erased }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className="rounded-card">
      <Panel heading="Erased">
        <div className="grid gap-4 text-sm">
          <Numbers of={erased}>Deleted:</Numbers>
          <Numbers of={kept}>Kept without personal details:</Numbers>
          <p className="font-medium text-ink">Still to do outside this site</p>
          <ExternalCopiesList copies={externalCopies} />
        </div>
      </Panel>
    </div>
  );
}

function Numbers({ of, children }: { of: readonly string[]; children: ReactNode }) {
  if (of.length === 0) return null;
  return (
    <p className="wrap-anywhere tabular-nums">
      {children} {of.join(', ')}
    </p>
  );
}

/** What staff do by hand, where this site cannot reach. */
function ExternalCopiesList({ copies }: { copies: ExternalCopies }) {
  const { teams, mail, stripeCustomers } = copies;
  return (
    <ul className="grid list-disc gap-2 pl-5 text-sm">
      {stripeCustomers.map((id) => (
        <li key={id}>
          Stripe has customer <code className="wrap-anywhere text-ink">{id}</code>. Look it up in
          the Stripe dashboard to export or delete what’s stored there.
        </li>
      ))}
      {teams && (
        <li>
          Cards in Microsoft Teams. Search the channel for the reference numbers, such as C-12.
        </li>
      )}
      {mail && <li>Email in staff mailboxes. Search for the address and the reference numbers.</li>}
      <li>Backups, until they are replaced.</li>
    </ul>
  );
}

const NAMES: readonly (readonly [keyof PersonCounts, one: string, several: string])[] = [
  ['messages', 'contact message', 'contact messages'],
  ['chatMessages', 'chat message', 'chat messages'],
  ['quotes', 'quote', 'quotes'],
  ['orders', 'order', 'orders'],
  ['requests', 'email request', 'email requests'],
  ['notices', 'notice', 'notices'],
];

/** '2 contact messages, 1 order', without what there is none of. */
function countsInWords(counts: Partial<PersonCounts>): string {
  return NAMES.flatMap(([kind, one, several]) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
  }).join(', ');
}
