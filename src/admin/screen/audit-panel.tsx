import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchCall } from '../../platform/fetch-call.ts';
import { fields, id, list, number, or, text } from '../../platform/read.ts';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RecordCell, RecordRow } from '../../ui/records/record-row.tsx';
import { type Column, RecordTable } from '../../ui/records/record-table.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LIST_AUDIT } from '../admin-contracts.ts';
import type { AuditEntry, AuditPage } from '../admin-shapes.ts';
import { AUDIT_KINDS, AUDIT_PAGE } from '../audit.ts';

const KIND_LABELS: Readonly<Record<string, string>> = AUDIT_KINDS;

const COLUMNS: readonly Column[] = [
  { heading: 'Time', width: 'w-40' },
  { heading: 'Event', width: 'w-56' },
  { heading: 'Username' },
  { heading: 'Address', width: 'w-40' },
  { heading: 'Detail', width: 'w-1/4' },
];

const said = or(text, '');

const readPage = fields<AuditPage>({
  total: or(number, 0),
  entries: list(
    fields<AuditEntry>({
      id,
      at: said,
      kind: said,
      username: said,
      address: said,
      detail: said,
    }),
  ),
});

export function AuditPanel() {
  const [page, setPage] = useState(1);
  const { data, isError } = useQuery({
    queryKey: ['audit', page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(page) });
      return fetchCall(LIST_AUDIT, readPage, { query, signal });
    },
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
  return (
    <Panel heading="Sign-in activity">
      {isError && <Notice kind="error">Couldn’t load the activity.</Notice>}
      {!data && !isError && <Skeleton className="h-40 w-full" />}
      {data && (
        <>
          <RecordTable caption="Activity" columns={COLUMNS} items={data.entries}>
            {(entry) => <Row key={entry.id} entry={entry} />}
          </RecordTable>
          <Pager page={page} pageSize={AUDIT_PAGE} total={data.total} onChange={setPage} />
        </>
      )}
    </Panel>
  );
}

function Row({ entry: { at, kind, username, address, detail } }: { entry: AuditEntry }) {
  return (
    <RecordRow>
      <RecordCell className="max-lg:order-2 max-lg:text-xs">
        <Moment at={at} />
      </RecordCell>
      <RecordCell
        className={`font-medium max-lg:order-1 ${kind === 'sign-in-failed' ? 'text-danger' : 'text-ink'}`}
      >
        {KIND_LABELS[kind] ?? kind}
      </RecordCell>
      <RecordCell className="break-words max-lg:order-3">
        <bdi>{username}</bdi>
      </RecordCell>
      <RecordCell className="tabular-nums max-lg:order-4 max-lg:justify-self-end">
        {address || 'this server'}
      </RecordCell>
      <RecordCell className="break-words max-lg:order-5 max-lg:col-span-2">{detail}</RecordCell>
    </RecordRow>
  );
}
