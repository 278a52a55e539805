/** The contact messages: their list, and one of them whole. */
import { serviceLabel } from '../contact/contact.ts';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { callAddress, MailLink, PhoneLink } from '../ui/contact-links.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Detail, type InboxListProps, InboxPanel, type OpenDetailProps } from './inbox-frames.tsx';
import { useRows, useSubmission } from './use-inbox.ts';

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

export function SubmissionDetail({ id, filter, onClose }: OpenDetailProps) {
  return (
    <Detail
      found={useSubmission(id, filter)}
      list="contacts"
      id={id}
      heading="Submission Details"
      onClose={onClose}
      actions={({ phone }) =>
        phone && (
          <ButtonLink href={callAddress(phone)} variant="quiet" size="small">
            Call
          </ButtonLink>
        )
      }
    >
      {({ createdAt, name, email, phone, service, message }) => (
        <Facts>
          <Fact term="Name">
            <bdi>{name}</bdi>
          </Fact>
          <Fact term="Message" wide>
            <bdi className="block whitespace-pre-wrap">{message}</bdi>
          </Fact>
          <Fact term="Email">
            <MailLink email={email} />
          </Fact>
          <Fact term="Phone">
            <PhoneLink phone={phone} />
          </Fact>
          <Fact term="Service">
            <ServiceBadge service={service} />
          </Fact>
          <Fact term="Submission Date">
            <Moment at={createdAt} full />
          </Fact>
        </Facts>
      )}
    </Detail>
  );
}

/** The service's label; a value that is not offered any more stands as it is. */
function ServiceBadge({ service }: { service: string | null }) {
  if (!service) return <span className="text-muted">Not specified</span>;
  return (
    <Badge>
      <bdi className="truncate">{serviceLabel(service) ?? service}</bdi>
    </Badge>
  );
}
