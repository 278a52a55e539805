import Clock from 'lucide-react/icons/clock';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import Phone from 'lucide-react/icons/phone';
import { type ComponentType, type ReactNode, useState } from 'react';
import { OpeningHours } from '../company/opening-hours.tsx';
import { ContactForm } from '../contact/contact-form.tsx';
import { useSite } from '../platform/site.ts';
import { FailureBoundary, lazyPart } from '../ui/failure-boundary.tsx';
import { Card, Section } from '../ui/layout.tsx';

const LastSubmissionPanel = lazyPart(
  async () => (await import('../contact/last-submission-panel.tsx')).default,
);

export function ContactSection() {
  return (
    <Section
      id="contact"
      heading="Get in Touch"
      lead="Something down? Planning a project? Call or send us a message."
      ground="paper"
      layout="beside"
      underLead={<Ways />}
    >
      <Card className="shadow-raised max-sm:p-5">
        <h3 className="mb-4 sm:mb-6 text-xl tracking-tight">Send us a Message</h3>
        <ContactForm />
      </Card>
    </Section>
  );
}

function Ways() {
  const { phone, email, address } = useSite().company;
  const [debugging, setDebugging] = useState(false);
  return (
    <>
      <dl className="grid gap-3 sm:grid-cols-2 sm:gap-6 lg:grid-cols-1 lg:pt-4">
        <Way Icon={Phone} term="Toll-free phone">
          <a href={`tel:${phone.tel}`} className="tabular-nums underline underline-offset-4">
            {phone.display}
          </a>
        </Way>
        <Way Icon={Mail} term="Email">
          <a
            href={`mailto:${email}`}
            onDoubleClick={() => setDebugging(!debugging)}
            className="underline underline-offset-4"
          >
            {email}
          </a>
        </Way>
        <Way Icon={MapPin} term="Office">
          {address.street}
          <br />
          {address.city}, {address.region} {address.postalCode}
        </Way>
        <Way Icon={Clock} term="Support hours">
          <OpeningHours />
        </Way>
      </dl>
      {debugging && (
        <FailureBoundary>
          <LastSubmissionPanel onClose={() => setDebugging(false)} />
        </FailureBoundary>
      )}
    </>
  );
}

interface WayProps {
  Icon: ComponentType<{ className?: string }>;
  term: string;
  children: ReactNode;
}

function Way({ Icon, term, children }: WayProps) {
  return (
    <div className="grid grid-cols-[auto_1fr] content-start gap-x-4">
      <Icon className="mt-0.5 size-5 sm:row-span-2 sm:mt-1 text-primary" />
      <dt className="text-sm text-muted max-sm:sr-only">{term}</dt>
      <dd className="text-ink max-sm:text-sm">{children}</dd>
    </div>
  );
}
