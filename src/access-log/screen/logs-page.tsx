/** /admin/logs: what was asked of the site in the last 24 hours, counted and line by line. */

import { type Query, useIsFetching } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Download from 'lucide-react/icons/download';
import { useLocation, useSearch } from 'wouter';
import { STAFF_PAGES } from '../../admin/staff-pages.ts';
import { useReload } from '../../platform/browser/use-reload.ts';
import { addressOf } from '../../platform/contract.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Workbench } from '../../ui/workbench.tsx';
import { DOWNLOAD_LOG } from '../log-contracts.ts';
import { AnalyticsView } from './analytics-view.tsx';
import { LiveSwitch, useLive } from './live-switch.tsx';
import { RawLogs } from './raw-logs.tsx';
import { LOGS } from './use-logs.ts';

const TABS = [
  { value: 'analytics', label: 'Analytics' },
  { value: 'raw', label: 'Raw Logs' },
] as const;

export default function LogsPage() {
  const raw = new URLSearchParams(useSearch()).get('tab') === 'raw';
  const [path, navigate] = useLocation();
  const live = useLive();
  return (
    <Workbench
      heading={STAFF_PAGES.logs.title}
      lead="User access logs for the last 24 hours"
      actions={<Actions />}
    >
      <Tabs
        label="Views"
        tabs={TABS}
        value={raw ? 'raw' : 'analytics'}
        onChange={(tab) => navigate(tab === 'raw' ? `${path}?tab=raw` : path, { replace: true })}
        aside={<LiveSwitch live={live} />}
      >
        {raw ? <RawLogs live={live.on} /> : <AnalyticsView live={live.on} />}
      </Tabs>
    </Workbench>
  );
}

function isFirst({ state }: Query): boolean {
  return state.data === undefined;
}

function Actions() {
  const { busy, reload } = useReload();
  const nothingYet = useIsFetching({ queryKey: LOGS, predicate: isFirst }) > 0;
  return (
    <>
      <ButtonLink href={STAFF_PAGES.inbox.path} variant="quiet" size="small">
        <ArrowLeft className="size-4" />
        Back to Admin
      </ButtonLink>
      <RefreshButton busy={busy} onClick={reload} />
      <Button
        variant="quiet"
        size="small"
        disabled={nothingYet || busy}
        onClick={() => window.open(addressOf(DOWNLOAD_LOG), '_blank', 'noopener')}
      >
        <Download className="size-4" />
        Export CSV
      </Button>
    </>
  );
}
