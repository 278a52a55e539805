import Clock from 'lucide-react/icons/clock';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import Phone from 'lucide-react/icons/phone';
import type { ComponentType, ReactNode } from 'react';
import { OpeningHours } from '../company/opening-hours.tsx';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Section } from '../ui/section.tsx';

export function ContactSection() {
  const { phone, email } = useSite().company;
  return (
    <Section
      id="contact"
      heading="Get in Touch"
      lead="Something has stopped, or you are planning something? Call, or write to us."
      ground="paper"
      layout="beside"
      underLead={<Ways />}
    >
      <Card className="shadow-raised">
        <h3 className="text-xl tracking-tight">Send us a Message</h3>
        <p className="mt-2">Write to {email}, or call while the desk is open.</p>
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink href={`mailto:${email}`}>Write an e-mail</ButtonLink>
          <ButtonLink href={`tel:${phone.tel}`} variant="quiet">
            Call {phone.display}
          </ButtonLink>
        </div>
      </Card>
    </Section>
  );
}

function Ways() {
  const { phone, email, address } = useSite().company;
  return (
    <dl className="grid gap-6 lg:pt-4">
      <Way Icon={Phone} term="Toll-free phone">
        <a href={`tel:${phone.tel}`} className="tabular-nums underline underline-offset-4">
          {phone.display}
        </a>
      </Way>
      <Way Icon={Mail} term="E-mail">
        <a href={`mailto:${email}`} className="underline underline-offset-4">
          {email}
        </a>
      </Way>
      <Way Icon={MapPin} term="Office">
        {address.street}
        <br />
        {address.city}, {address.region} {address.postalCode}
      </Way>
      <Way Icon={Clock} term="Support desk">
        <OpeningHours />
      </Way>
    </dl>
  );
}

interface WayProps {
  Icon: ComponentType<{ className?: string }>;
  term: string;
  children: ReactNode;
}

function Way({ Icon, term, children }: WayProps) {
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-4">
      <Icon className="row-span-2 mt-1 size-5 text-primary" />
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  );
}
