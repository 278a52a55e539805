import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchCall } from '../../platform/fetch-call.ts';
import { anything, fields, flag, list, or, text } from '../../platform/read.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { leaveFocus } from '../../ui/focus/pass-focus-on.ts';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton, UnknownHeight } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { END_OTHER_SESSIONS, END_SESSION, LIST_SESSIONS } from '../admin-contracts.ts';
import type { OpenSession } from '../admin-shapes.ts';
import { browserName } from './browser-name.ts';

const SESSIONS = ['sessions'];
const said = or(text, '');

const readSessions = list(
  fields<OpenSession>({
    key: text,
    signedInAt: said,
    lastSeenAt: said,
    address: said,
    userAgent: said,
    current: or(flag, false),
  }),
);

export function SessionsPanel() {
  const { data: sessions, isError } = useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => fetchCall(LIST_SESSIONS, readSessions, { signal }),
    refetchOnMount: 'always',
  });
  const ending = useEnding();
  const others = sessions?.some(({ current }) => !current) ?? false;
  return (
    <Panel
      heading="Open sessions"
      aside={
        <div className="flex min-h-10 items-center">
          {others && (
            <Button
              variant="quiet"
              size="small"
              disabled={ending.isPending}
              busy={ending.isPending && ending.variables === null}
              onClick={() => ending.mutate(null)}
            >
              End all other sessions
            </Button>
          )}
        </div>
      }
    >
      {isError && <Notice kind="error">Couldn’t load the sessions.</Notice>}
      {!sessions && !isError && (
        <>
          <Skeleton className="h-14 w-full" />
          <UnknownHeight />
        </>
      )}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <li
            key={session.key}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm"
          >
            <span
              className="min-w-0 flex-1 basis-64 truncate font-medium text-ink"
              title={session.userAgent}
            >
              {browserName(session.userAgent)}
            </span>
            <span className="tabular-nums">{session.address}</span>
            <span className="text-muted">
              signed in <Moment at={session.signedInAt} />
            </span>
            <span className="text-muted">
              last used <Moment at={session.lastSeenAt} />
            </span>
            {session.current ? (
              <Badge tone="primary">This session</Badge>
            ) : (
              <Button
                ref={leaveFocus}
                variant="quiet"
                size="small"
                disabled={ending.isPending}
                busy={ending.isPending && ending.variables === session.key}
                onClick={() => ending.mutate(session.key)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** By its key; null for all others. */
function useEnding() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (key: string | null) =>
      key === null
        ? fetchCall(END_OTHER_SESSIONS, anything)
        : fetchCall(END_SESSION, anything, { params: { key } }),
    onError: () =>
      showToast({
        title: 'Error',
        description: 'Couldn’t end the session. Please try again.',
        variant: 'destructive',
      }),
    onSettled: () => queryClient.invalidateQueries(),
  });
}
