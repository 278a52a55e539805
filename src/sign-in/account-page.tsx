/** /admin/account: the account's sessions, everyone who has signed in, and the audit. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { STAFF_PAGES } from '../routes.ts';
import { AccountsPanel, PublicNamePanel } from '../staff/accounts-panel.tsx';
import { useLogin } from '../staff/login.tsx';
import { SignalsPanel } from '../staff/signals.tsx';
import {
  AUDIT_PAGE_SIZE,
  type AuditEntry,
  auditLabel,
  END_OTHER_SESSIONS,
  LIST_ACCOUNTS,
  LIST_AUDIT,
  LIST_SESSIONS,
} from '../staff/staff-api.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { AdminPageLayout, Panel } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { type Column, RecordTable } from '../ui/records/record-table.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { GET_SECOND_FACTOR } from './second-factor-api.ts';
import { SecondFactorPanel } from './second-factor-panel.tsx';

export default function AccountPage() {
  const { state } = useLogin();
  const mustSetUp = 'mustSetUp' in state && state.mustSetUp === true;
  return (
    <AdminPageLayout
      heading={STAFF_PAGES.account.title}
      lead="Sessions expire after 12 hours, or 2 hours idle. Changing the password ends them all."
    >
      {/* Until then the server refuses all other calls. */}
      {mustSetUp ? <SecondFactorPanel required /> : <Panels />}
    </AdminPageLayout>
  );
}

function Panels() {
  const sessions = useQuery(callQuery(LIST_SESSIONS));
  const secondFactor = useQuery(callQuery(GET_SECOND_FACTOR));
  const accounts = useQuery(callQuery(LIST_ACCOUNTS));
  const isReady = ![sessions, secondFactor, accounts].some(({ isPending }) => isPending);
  return (
    <>
      <SessionsPanel />
      {/* Each is rendered after those above have loaded, or they would push it down. */}
      {!sessions.isPending && <SecondFactorPanel required={false} />}
      {isReady && (
        <>
          <div className="grid gap-5 lg:grid-cols-2">
            <PublicNamePanel />
            <SignalsPanel />
          </div>
          <AccountsPanel />
          <AuditPanel />
        </>
      )}
    </>
  );
}

function SessionsPanel() {
  const { data: sessions, isError } = useQuery(callQuery(LIST_SESSIONS));
  const others = sessions?.some(({ current }) => !current) ?? false;
  return (
    <Panel
      heading="Open sessions"
      aside={
        <div className="flex min-h-10 items-center">
          {others && (
            <ActionButton act={() => fetchCall(END_OTHER_SESSIONS)}>
              End all other sessions
            </ActionButton>
          )}
        </div>
      }
    >
      {isError && <Notice kind="error">Couldn’t load the sessions.</Notice>}
      {!sessions && !isError && <Skeleton className="h-14 w-full" />}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <li
            key={session.key}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm lg:grid lg:grid-cols-[1fr_7rem_10rem_14rem_14rem]"
          >
            <span
              className="min-w-0 flex-1 basis-64 truncate font-medium text-ink"
              title={session.userAgent}
            >
              {browserName(session.userAgent)}
            </span>
            <span>{session.current && <Badge tone="primary">This session</Badge>}</span>
            <span className="tabular-nums">{session.address}</span>
            <span className="text-muted">
              signed in <LocalTime at={session.signedInAt} />
            </span>
            <span className="text-muted">
              last used <LocalTime at={session.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** In order of precedence: Edge and Opera also name Chrome, and Chrome also names Safari. */
const BROWSERS = {
  Edg: 'Edge',
  OPR: 'Opera',
  Firefox: 'Firefox',
  Chrome: 'Chrome',
  Safari: 'Safari',
};
const SYSTEMS = /Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux/;

/** 'Chrome on Windows', or the user agent itself if the browser or the system is unknown. */
function browserName(userAgent: string): string {
  const browser = Object.entries(BROWSERS).find(([word]) => userAgent.includes(`${word}/`))?.[1];
  const system = SYSTEMS.exec(userAgent)?.[0];
  return browser && system ? `${browser} on ${system}` : userAgent || 'Unknown browser';
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    heading: 'Time',
    width: 'w-40',
    className: 'max-lg:order-2 max-lg:text-xs',
    cell: ({ at }) => <LocalTime at={at} />,
  },
  {
    heading: 'Event',
    width: 'w-56',
    className: 'font-medium text-ink max-lg:order-1',
    cell: ({ kind }) => (
      <span className={kind === 'sign-in-failed' ? 'text-danger' : ''}>{auditLabel(kind)}</span>
    ),
  },
  {
    heading: 'Username',
    className: 'max-lg:order-3',
    cell: ({ name }) => <bdi>{name || 'Unknown name'}</bdi>,
  },
  {
    heading: 'Address',
    width: 'w-40',
    className: 'tabular-nums max-lg:order-4 max-lg:justify-self-end',
    cell: ({ address }) => address || 'this server',
  },
  {
    heading: 'Detail',
    width: 'w-1/4',
    className: 'max-lg:order-5 max-lg:col-span-2',
    cell: ({ detail }) => detail,
  },
];

function AuditPanel() {
  const [page, setPage] = useState(1);
  const { data, isError } = useQuery({
    ...callQuery(LIST_AUDIT, { query: new URLSearchParams({ page: `${page}` }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel heading="Activity">
      {isError && <Notice kind="error">Couldn’t load the activity.</Notice>}
      {!data && !isError && <Skeleton className="h-40 w-full" />}
      {data && (
        <>
          <RecordTable
            caption="Activity"
            columns={COLUMNS}
            items={data.entries}
            getRowId={({ id, kind }) => `${kind} ${id}`}
          />
          <Pager page={page} pageSize={AUDIT_PAGE_SIZE} total={data.total} onChange={setPage} />
        </>
      )}
    </Panel>
  );
}
