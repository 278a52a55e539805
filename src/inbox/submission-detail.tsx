import { ButtonLink } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Moment } from '../ui/moment.tsx';
import { Detail, mailAddress } from './detail.tsx';
import type { ContactSubmission } from './inbox.ts';
import { ServiceBadge } from './service-badge.tsx';

export function SubmissionDetail({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Detail<ContactSubmission>
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
          <Fact term="Submission Date">
            <Moment at={createdAt} full />
          </Fact>
          <Fact term="Name">
            <bdi>{name}</bdi>
          </Fact>
          <Fact term="Email">
            <a href={mailAddress(email)} className="underline underline-offset-4">
              <bdi>{email}</bdi>
            </a>
          </Fact>
          <Fact term="Phone">
            {phone ? (
              <a href={callAddress(phone)} className="underline underline-offset-4">
                <bdi>{phone}</bdi>
              </a>
            ) : (
              'Not provided'
            )}
          </Fact>
          <Fact term="Service">
            <ServiceBadge service={service} />
          </Fact>
          <Fact term="Message">
            <bdi className="block whitespace-pre-wrap">{message}</bdi>
          </Fact>
        </Facts>
      )}
    </Detail>
  );
}

function callAddress(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
