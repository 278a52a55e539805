import ArrowRight from 'lucide-react/icons/arrow-right';
import type { ReactNode } from 'react';
import { keepTimesTogether } from '../company/hours.ts';
import { useSite } from '../platform/site.ts';
import { HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { HeroCarousel } from './hero-carousel.tsx';
import type { HomeContent } from './home.ts';
import { HomeSections } from './home-sections.tsx';

export default function HomePage({ content }: { content: HomeContent }) {
  return (
    <>
      <Hero {...content} />
      <HomeSections content={content} />
    </>
  );
}

function Hero({ words, slides, lowestPrice }: HomeContent) {
  return (
    <section aria-labelledby="hero-heading" className="bg-paper pt-navbar">
      <Container className="grid items-center gap-x-8 gap-y-7 py-6 sm:gap-y-10 sm:pt-10 lg:grid-cols-12 lg:pb-6">
        <div className="min-w-0 lg:col-span-5">
          <HeroWords {...words.hero} lowestPrice={lowestPrice} />
        </div>
        <div className="min-w-0 lg:col-span-7">
          <HeroCarousel slides={slides} />
        </div>
      </Container>
      <Container>
        <HeroFacts {...words.hero} />
      </Container>
    </section>
  );
}

type HeroProps = HomeContent['words']['hero'];

function HeroWords(props: HeroProps & { lowestPrice: string }) {
  const { heading, lead, lowestPrice } = props;
  const { company } = useSite();
  return (
    <>
      <p className="text-[0.875rem] leading-6 font-medium text-primary sm:text-sm">
        {company.tagline}
      </p>
      <h1 id="hero-heading" className="mt-3 text-3xl sm:mt-4 tracking-[-0.04em]">
        {heading}
      </h1>
      <p className="mt-4 max-w-md text-base sm:mt-6 sm:text-lg">
        {lead}
        {/* From this width on, the navbar has it. */}
        <span className="lg:hidden">
          {' '}
          <HeroLink href={`tel:${company.phone.tel}`}>{company.phone.display}</HeroLink>
        </span>
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink href={HOME_SECTIONS.services.path} size="large" className="max-sm:grow">
          Explore Services
          <ArrowRight className="size-5" />
        </ButtonLink>
        <ButtonLink
          href={HOME_SECTIONS.contact.path}
          variant="quiet"
          size="large"
          className="max-sm:grow"
        >
          Contact Us
        </ButtonLink>
      </div>
      <p className="mt-3 flex flex-wrap justify-between gap-x-2 text-sm leading-11 sm:justify-start sm:gap-x-6">
        {lowestPrice && (
          <HeroLink href={HOME_SECTIONS.pricing.path}>
            {`Plans from ${lowestPrice} a month`}
          </HeroLink>
        )}
        <HeroLink href={SITE_PAGES.safeguards.path}>FTC Safeguards check</HeroLink>
      </p>
    </>
  );
}

function HeroLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      className="font-medium whitespace-nowrap text-primary tabular-nums underline decoration-primary/40 underline-offset-4 hover:text-primary-deep hover:decoration-current"
    >
      {children}
    </a>
  );
}

function HeroFacts({ facts }: HeroProps) {
  return (
    <dl className="grid border-t border-line pt-4 pb-14 text-sm sm:grid-cols-3 sm:gap-x-8">
      {facts.map(({ title, text }) => (
        <div key={title} className="py-1 max-sm:flex max-sm:flex-wrap max-sm:gap-x-2.5 sm:py-1.5">
          <dt className="font-semibold text-ink">{title}</dt>
          <dd>{keepTimesTogether(text)}</dd>
        </div>
      ))}
    </dl>
  );
}
