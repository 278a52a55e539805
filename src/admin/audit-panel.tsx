import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchCall } from '../platform/fetch-call.ts';
import { fields, id, list, number, or, text } from '../platform/read.ts';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { LIST_AUDIT } from './admin-contracts.ts';
import type { AuditEntry, AuditPage } from './admin-shapes.ts';
import { AUDIT_KINDS, AUDIT_PAGE } from './audit.ts';

const KIND_LABELS: Readonly<Record<string, string>> = AUDIT_KINDS;

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
    <Panel heading="What happened at the door">
      {isError && <Notice kind="error">The record could not be loaded.</Notice>}
      {!data && !isError && <Skeleton className="h-40 w-full" />}
      {data && (
        <>
          <table className="w-full text-left text-sm max-lg:block lg:table-fixed">
            <caption className="sr-only">Record</caption>
            <colgroup>
              <col className="w-40" />
              <col className="w-56" />
              <col />
              <col className="w-40" />
              <col className="w-1/4" />
            </colgroup>
            <thead className="border-b border-line text-xs text-muted max-lg:sr-only">
              <tr>
                {['Time', 'What', 'Username', 'Address', 'Detail'].map((heading) => (
                  <th key={heading} scope="col" className="py-2 pr-4 font-medium">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line max-lg:block">
              {data.entries.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
          <Pager page={page} pageSize={AUDIT_PAGE} total={data.total} onChange={setPage} />
        </>
      )}
    </Panel>
  );
}

const CELL = 'break-words py-2 pr-4 max-lg:p-0';

/** On phones and tablets a row stacks. */
function Row({ entry: { at, kind, username, address, detail } }: { entry: AuditEntry }) {
  return (
    <tr className="align-baseline max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-4 max-lg:py-3">
      <td className={`${CELL} max-lg:order-2 max-lg:text-xs`}>
        <Moment at={at} />
      </td>
      <td
        className={`${CELL} font-medium max-lg:order-1 ${kind === 'sign-in-failed' ? 'text-danger' : 'text-ink'}`}
      >
        {KIND_LABELS[kind] ?? kind}
      </td>
      <td className={`${CELL} max-lg:order-3`}>
        <bdi>{username}</bdi>
      </td>
      <td className={`${CELL} tabular-nums max-lg:order-4 max-lg:justify-self-end`}>
        {address || 'this server'}
      </td>
      <td className={`${CELL} max-lg:order-5 max-lg:col-span-2`}>{detail}</td>
    </tr>
  );
}
