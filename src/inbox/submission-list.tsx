import { Notice } from '../ui/notice.tsx';
import { type InboxListProps, InboxPanel } from './inbox-panel.tsx';
import { ServiceBadge } from './service-badge.tsx';
import { useRows } from './use-inbox.ts';

export function SubmissionList(props: InboxListProps) {
  const { status, rows, outdated } = useRows('contacts', props.filter);
  return (
    <>
      {status === 'failed' && (
        <div className="mb-5">
          <Notice kind="warning">
            This is a preview with sample data: the endpoint is not yet available.
          </Notice>
        </div>
      )}
      <InboxPanel
        {...props}
        heading="All Submissions"
        about="Service"
        loading={status === 'loading'}
        outdated={outdated}
        rows={rows.map((row) => ({
          ...row,
          at: row.createdAt,
          about: <ServiceBadge service={row.service} />,
        }))}
        empty="No submissions found. When customers submit the contact form, their submissions will appear here."
      />
    </>
  );
}
