import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchJson } from '../platform/fetch-json.ts';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AUDIT_KINDS, AUDIT_PAGE, type AuditPage } from './audit.ts';

const KIND_LABELS: Readonly<Record<string, string>> = AUDIT_KINDS;

export function AuditPanel() {
  const [page, setPage] = useState(1);
  const { data, isError } = useQuery<AuditPage>({
    queryKey: ['audit', page],
    queryFn: ({ signal }) => fetchJson(`/api/admin/audit?page=${page}`, { signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
  return (
    <Panel heading="What happened at the door">
      {isError && <Notice kind="error">The record could not be loaded.</Notice>}
      {!data && !isError && <Skeleton className="h-40 w-full" />}
      {data && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className="overflow-x-auto" aria-label="Record" tabIndex={0}>
            <table className="w-full text-left text-sm">
              <thead className="border-b border-line text-xs text-muted">
                <tr>
                  {['Time', 'What', 'Username', 'Address', 'Detail'].map((heading) => (
                    <th key={heading} scope="col" className="py-2 pr-4 font-medium">
                      {heading}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {data.entries.map((entry) => (
                  <tr key={entry.id} className="whitespace-nowrap">
                    <td className="py-2 pr-4">
                      <Moment at={entry.at} />
                    </td>
                    <td
                      className={`py-2 pr-4 font-medium ${entry.kind === 'sign-in-failed' ? 'text-danger' : 'text-ink'}`}
                    >
                      {KIND_LABELS[entry.kind] ?? entry.kind}
                    </td>
                    <td className="max-w-60 truncate py-2 pr-4">
                      <bdi>{entry.username}</bdi>
                    </td>
                    <td className="py-2 pr-4 tabular-nums">{entry.address || 'this server'}</td>
                    <td className="max-w-80 truncate py-2">{entry.detail}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <Pager page={page} pageSize={AUDIT_PAGE} total={data.total} onChange={setPage} />
        </>
      )}
    </Panel>
  );
}
