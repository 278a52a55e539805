/** The home page below its first screen. Sections that belong to a feature come from its folder. */

import type { LucideIcon } from 'lucide-react';
import Activity from 'lucide-react/icons/activity';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Gauge from 'lucide-react/icons/gauge';
import Layers from 'lucide-react/icons/layers';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import Phone from 'lucide-react/icons/phone';
import ShieldCheck from 'lucide-react/icons/shield-check';
import type { ReactNode } from 'react';
import type { Testimonial } from '../catalogue/catalogue.ts';
import { PricingSection } from '../catalogue/pricing-section.tsx';
import { Services, Solutions } from '../catalogue/services-and-solutions.tsx';
import { cityLine } from '../company/company.ts';
import { keepTimesTogether } from '../company/hours.ts';
import { OpeningHours } from '../company/opening-hours.tsx';
import { ContactForm } from '../contact/contact-form.tsx';
import { EMAIL_LINK, LastSubmission } from '../contact/last-submission.tsx';
import { NewsSection } from '../news/article-list.tsx';
import { useSite } from '../platform/site.ts';
import { CHECKOUT_PAGES, CONTENT_PATHS } from '../routes.ts';
import { useFirstAnswersSentence } from '../threads/first-answers.ts';
import { ArrowLink, ButtonLink } from '../ui/button.tsx';
import { Island } from '../ui/island.tsx';
import { Card, Section } from '../ui/layout.tsx';
import { Picture } from '../ui/picture.tsx';
import type { HomeContent } from './home.ts';

type Words = HomeContent['words'];

export function HomeSections({ content }: { content: HomeContent }) {
  const { words, services, solutions, plans, addOns, comparison, questions } = content;
  return (
    <>
      <WhyChooseUs words={words.reasons} />
      <Section
        id="services"
        heading="Our Professional Services"
        lead={words.services}
        background="paper"
      >
        <Island>
          <Services rows={services} />
        </Island>
      </Section>
      <Section
        id="solutions"
        heading="Industry Solutions"
        lead={words.solutions}
        background="night"
      >
        <Island>
          <Solutions rows={solutions} />
        </Island>
      </Section>
      <PaymentOptions words={words.payments} />
      <PricingSection
        words={words.pricing}
        plans={plans}
        addOns={addOns}
        comparison={comparison}
        questions={questions}
      />
      <NewsSection articles={content.news} lead={words.news.lead} />
      <About words={words.about} testimonials={content.testimonials} />
      <ContactSection lead={words.contact} />
    </>
  );
}

const REASON_ICONS = [ShieldCheck, Gauge, Layers, Activity];

function WhyChooseUs({ words: { lead, items } }: { words: Words['reasons'] }) {
  return (
    <Section id="why-choose-us" heading="Why Choose Us" lead={lead} layout="beside">
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2 sm:gap-y-6">
        {items.map(({ title, text }, index) => {
          const Icon = REASON_ICONS[index] ?? Activity;
          return (
            <li
              key={title}
              className="grid grid-cols-[1.5rem_1fr] content-start gap-x-4 border-t border-line pt-3 sm:pt-4"
            >
              <Icon className="row-span-2 size-6 text-primary" strokeWidth={1.75} />
              <h3 className="text-base leading-6">{title}</h3>
              <p className="mt-1 text-sm">{keepTimesTogether(text)}</p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function PaymentOptions({ words: { lead, ways } }: { words: Words['payments'] }) {
  const { phone } = useSite().company;
  return (
    <Section
      id="payment-options"
      heading="Flexible Payment Options"
      lead={lead}
      background="paper"
      layout="beside"
    >
      <Card className="shadow-raised max-sm:p-5 sm:py-6">
        <h3 className="text-lg tracking-tight">Traditional Payments</h3>
        <ul className="mt-3 grid gap-x-6 gap-y-1.5 text-sm text-ink sm:grid-cols-[auto_auto] sm:justify-between">
          {ways.map((way) => (
            <li key={way} className="flex gap-2.5">
              <Check className="mt-0.5 size-5 shrink-0 text-primary" />
              {way}
            </li>
          ))}
        </ul>
        <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line pt-5">
          <ButtonLink href={CHECKOUT_PAGES.checkout.path}>Get Started</ButtonLink>
          <p className="min-w-0 flex-1 basis-52 text-sm">
            Checkout takes cards. To pay by ACH or wire transfer, call{' '}
            <a href={`tel:${phone.tel}`} className="whitespace-nowrap text-primary underline">
              {phone.display}
            </a>
            .
          </p>
        </div>
      </Card>
    </Section>
  );
}

/** Pages on which a visitor can check these claims. */
const PROOFS = [
  { href: CONTENT_PATHS.trust, label: 'What you can check about us' },
  { href: CONTENT_PATHS.tenQuestions, label: 'Our answers to ten questions' },
];

interface AboutProps {
  words: Words['about'];
  testimonials: readonly Testimonial[];
}

function About({ words: { purposes, points }, testimonials }: AboutProps) {
  const { name, about } = useSite().company;
  return (
    <Section id="about" heading={`About ${name}`} lead={about} layout="beside">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2 sm:gap-y-8">
        {purposes.map(({ title, text }) => (
          <div key={title} className="border-t border-line pt-4 sm:pt-6">
            <h3 className="text-lg tracking-tight">{title}</h3>
            <p className="mt-1.5 text-sm">{text}</p>
          </div>
        ))}
        <div className="on-night rounded-card p-5 sm:col-span-2 sm:p-8">
          <h3 id="why-choose" className="text-lg tracking-tight">
            {`Why Choose ${name}`}
          </h3>
          <dl className="mt-4 grid gap-x-8 gap-y-4 md:grid-cols-3">
            {points.map(({ title, text }) => (
              <div key={title} className="border-t border-night-line pt-3">
                <dt className="text-base font-medium text-white">{title}</dt>
                <dd className="text-sm">{text}</dd>
              </div>
            ))}
          </dl>
          <div className="mt-3 -mb-3 flex flex-wrap gap-x-8">
            {PROOFS.map(({ href, label }) => (
              <ArrowLink
                key={href}
                href={href}
                describedBy="why-choose"
                className="text-tide hover:text-white"
              >
                {label}
              </ArrowLink>
            ))}
          </div>
        </div>
      </div>
      {testimonials.length > 0 && <Testimonials testimonials={testimonials} />}
    </Section>
  );
}

function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  return (
    <ul className="mt-10 grid gap-6 md:grid-cols-2">
      {testimonials.map(({ id, name, company, comment, rating, image }) => (
        <li key={id}>
          <Card className="h-full">
            <figure>
              <p className="text-amber">
                <span className="sr-only">{`${rating} of 5 stars`}</span>
                <span aria-hidden="true">{'★'.repeat(rating)}</span>
              </p>
              <blockquote className="mt-3">{comment}</blockquote>
              <figcaption className="mt-5 flex items-center gap-3 text-sm">
                {image && (
                  <Picture image={image} alt="" sizes="3rem" className="size-12 rounded-full" />
                )}
                <span>
                  <span className="block font-medium text-ink">{name}</span>
                  <span>{company}</span>
                </span>
              </figcaption>
            </figure>
          </Card>
        </li>
      ))}
    </ul>
  );
}

function ContactSection({ lead }: { lead: string }) {
  return (
    <Section
      id="contact"
      heading="Get in Touch"
      lead={lead}
      background="paper"
      layout="beside"
      afterLead={<ContactDetails />}
    >
      <Card className="shadow-raised max-sm:p-5">
        <h3 className="mb-4 sm:mb-6 text-xl tracking-tight">Send us a Message</h3>
        <Island>
          <ContactForm />
        </Island>
      </Card>
    </Section>
  );
}

function ContactDetails() {
  const firstAnswers = useFirstAnswersSentence();
  const { phone, email, address } = useSite().company;
  return (
    <>
      <dl className="grid gap-3 sm:grid-cols-2 sm:gap-6 lg:grid-cols-1 lg:pt-4">
        <ContactDetail Icon={Phone} term="Toll-free phone">
          <a href={`tel:${phone.tel}`} className="tabular-nums underline underline-offset-4">
            {phone.display}
          </a>
        </ContactDetail>
        <ContactDetail Icon={Mail} term="Email">
          <a id={EMAIL_LINK} href={`mailto:${email}`} className="underline underline-offset-4">
            {email}
          </a>
        </ContactDetail>
        <ContactDetail Icon={MapPin} term="Office">
          {address.street}
          <br />
          <span>{cityLine(address)}</span>
        </ContactDetail>
        <ContactDetail Icon={Clock} term="Support hours">
          <OpeningHours />
          {firstAnswers && <p className="mt-1 text-sm text-muted">{firstAnswers}</p>}
        </ContactDetail>
      </dl>
      <Island>
        <LastSubmission />
      </Island>
    </>
  );
}

function ContactDetail({
  Icon,
  term,
  children,
}: {
  Icon: LucideIcon;
  term: string;
  children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-[auto_1fr] content-start gap-x-4">
      <Icon className="mt-0.5 size-5 sm:row-span-2 sm:mt-1 text-primary" />
      <dt className="text-sm text-muted max-sm:sr-only">{term}</dt>
      <dd className="text-ink max-sm:text-sm">{children}</dd>
    </div>
  );
}
