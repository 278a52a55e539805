import { ButtonLink } from '../ui/button.tsx';
import { callAddress, MailLink, PhoneLink } from '../ui/contact-links.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Moment } from '../ui/moment.tsx';
import { Detail } from './detail.tsx';
import type { OpenDetailProps } from './inbox-panel.tsx';
import { ServiceBadge } from './service-badge.tsx';
import { useSubmission } from './use-inbox.ts';

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
