/** /admin/people: find a person, export and erase everything stored under one email address. */
import { type UseMutationResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import * as z from 'zod/mini';
import { MAX_SEARCH } from '../limits.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { callUrl } from '../platform/contract.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { emailField, singleLine } from '../platform/fields.ts';
import { searchText } from '../platform/list-query.ts';
import { FIND_PEOPLE, type KnownPerson } from '../quotes/quote-api.ts';
import { personPath, recordPath, STAFF_PAGES } from '../routes.ts';
import { AdminPageLayout, Panel } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, TryAgainButton } from '../ui/button.tsx';
import { DownloadLink } from '../ui/download-link.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { type Column, RecordTable } from '../ui/records/record-table.tsx';
import { useForm } from '../ui/use-form.tsx';
import { countByKind, EraseDialog, ErasedPanel, ExternalCopiesList } from './erase-dialog.tsx';
import {
  DOWNLOAD_PERSON,
  ERASE_PERSON,
  type Erased,
  FIND_PERSON,
  KIND_LABELS,
  NOTHING_STORED,
  type Person,
  type StoredItem,
} from './person-api.ts';

export default function PeoplePage() {
  const find = new URLSearchParams(useSearch()).get('find') ?? '';
  const { data: email } = emailField().safeParse(find);
  return (
    <AdminPageLayout
      heading={STAFF_PAGES.people.title}
      lead="Everything a person has sent or bought under one email address. View it, export it, or erase it when they ask."
    >
      <FindPerson find={find} />
      {email ? <PersonPanels key={email} email={email} /> : <KnownPeople find={find} />}
    </AdminPageLayout>
  );
}

const search = z.object({ find: singleLine({ max: MAX_SEARCH }) });

function FindPerson({ find }: { find: string }) {
  const [, navigate] = useLocation();
  const { form, field } = useForm({
    schema: search,
    read: (field) => ({ find: field('find') }),
    save: async (_, { find }) => navigate(personPath(find)),
    failure: () => '',
  });
  return (
    <search>
      <form noValidate {...form} className="flex flex-wrap items-start gap-3">
        {/* The key resets the field when the URL's words change, also by the back button. */}
        <div key={find} className="w-full sm:w-96">
          {field('Name, company, or email address', 'find', {
            defaultValue: find,
            autoComplete: 'off',
            autoCapitalize: 'none',
            spellCheck: false,
            className: 'sm:h-11',
          })}
        </div>
        <Button type="submit" className="sm:mt-8">
          Find
        </Button>
      </form>
    </search>
  );
}

/** Whom the desk knows by these words; without any, who came last. */
function KnownPeople({ find }: { find: string }) {
  const words = searchText(find);
  const query = useQuery(callQuery(FIND_PEOPLE, { query: findQuery(words) }));
  const { data, isError } = query;
  return (
    <Panel heading={words ? <bdi className="wrap-anywhere">{words}</bdi> : 'Newest'}>
      {isError && (
        <Notice kind="error">
          <p>Couldn’t load the people.</p>
          <TryAgainButton busy={query.isFetching} onClick={() => query.refetch()} />
        </Notice>
      )}
      {data?.people.length === 0 && (
        <p role="status" className="py-8 text-center text-sm">
          {words ? 'No one by this name, company, or address.' : 'No one yet.'}
        </p>
      )}
      {!isError && data?.people.length !== 0 && (
        <RecordTable
          caption="People"
          columns={PEOPLE_COLUMNS}
          items={data?.people ?? null}
          getRowId={({ email }) => email}
        />
      )}
    </Panel>
  );
}

const PEOPLE_COLUMNS: readonly Column<KnownPerson>[] = [
  {
    heading: 'Name',
    width: 'w-1/4',
    className: 'truncate max-lg:order-1',
    cell: ({ name, email }) => (
      <Link
        href={personPath(email)}
        className="font-medium text-ink underline underline-offset-4 max-lg:inline-flex max-lg:min-h-9 max-lg:items-center"
      >
        <bdi>{name || email}</bdi>
      </Link>
    ),
  },
  {
    heading: 'Company',
    width: 'w-1/4',
    className: 'truncate max-lg:order-3 max-lg:col-span-2 max-lg:empty:hidden',
    cell: ({ company }) => company && <bdi>{company}</bdi>,
  },
  {
    heading: 'Email',
    className: 'truncate max-lg:order-4 max-lg:col-span-2',
    cell: ({ email }) => <bdi>{email}</bdi>,
  },
  {
    heading: 'Last',
    width: 'w-32',
    className: 'max-lg:order-2 max-lg:justify-self-end max-lg:text-xs',
    cell: ({ at }) => <LocalTime at={at} inList />,
  },
];

const findQuery = (find: string) => new URLSearchParams({ find });

type Erasing = UseMutationResult<Erased, Error, void>;

function PersonPanels({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const query = useQuery(callQuery(FIND_PERSON, { query: findQuery(email) }));
  const erasing: Erasing = usePress({
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
          // The loaded panel is taller, so it replaces the loading one instead of resizing it.
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
              getRowId={({ kind, reference, id, at }) => `${kind} ${reference} ${id} ${at}`}
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
      <DownloadLink href={callUrl(DOWNLOAD_PERSON, { query: findQuery(person.email) })}>
        Download
      </DownloadLink>
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

/** The pages that show an item in full. */
const PAGES: Partial<Record<StoredItem['kind'], 'inbox' | 'orders' | 'quotes'>> = {
  message: 'inbox',
  chat: 'inbox',
  quote: 'quotes',
  order: 'orders',
  billing: 'orders',
  email: 'inbox',
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
    cell: ({ kind }) => KIND_LABELS[kind],
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
    cell: ({ state }) => state && <Badge>{state}</Badge>,
  },
];

function Reference({ kind, id, reference }: StoredItem) {
  const page = PAGES[kind];
  if (!page) return <span className="text-muted">{reference}</span>;
  return (
    <Link href={recordPath(page, id)} className="underline underline-offset-4">
      {reference}
    </Link>
  );
}
