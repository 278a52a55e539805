import { Notice } from '../ui/notice.tsx';
import { type InboxListProps, InboxPanel } from './inbox-panel.tsx';
import { ServiceBadge } from './service-badge.tsx';
import { useRows } from './use-inbox.ts';

export function SubmissionList(props: InboxListProps) {
  const found = useRows('contacts', props.filter);
  return (
    <InboxPanel
      {...props}
      {...found}
      heading="All Submissions"
      about="Service"
      failure={
        <Notice kind="warning">
          This is a preview with sample data: the endpoint is not yet available.
        </Notice>
      }
      rows={found.rows.map((row) => ({
        ...row,
        at: row.createdAt,
        about: (
          <span className="flex items-center gap-2">
            <span className="flex max-w-1/2 shrink-0 panes:in-data-panes:max-w-full">
              <ServiceBadge service={row.service} />
            </span>
            <bdi className="min-w-0 truncate text-muted panes:in-data-panes:hidden">
              {row.message}
            </bdi>
          </span>
        ),
      }))}
      empty="No submissions found. When customers submit the contact form, their submissions will appear here."
    />
  );
}
