import ArrowRight from 'lucide-react/icons/arrow-right';
import type { ReactNode } from 'react';
import { unbrokenHours } from '../company/hours.ts';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Container } from '../ui/container.tsx';

/** What moves is given: all else here stands still. */
export function Hero({ children }: { children: ReactNode }) {
  const { company } = useSite();
  return (
    <section aria-labelledby="hero-heading" className="bg-paper pt-navbar">
      <Container className="grid items-center gap-x-8 gap-y-12 pt-10 pb-16 lg:grid-cols-12 lg:pt-16 lg:pb-20">
        <div className="min-w-0 lg:col-span-5">
          <p className="text-sm font-medium text-primary">{company.tagline}</p>
          <h1 id="hero-heading" className="mt-4 text-3xl tracking-[-0.04em]">
            Modern Technology Solutions for Your Business
          </h1>
          <p className="mt-6 max-w-md text-lg">
            Computers, networks, phones and security run by one team, at a monthly price you can
            read on this page.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ButtonLink href="/#services" size="large" className="max-sm:grow">
              Explore Services
              <ArrowRight className="size-5" />
            </ButtonLink>
            <ButtonLink href="/#contact" variant="quiet" size="large" className="max-sm:grow">
              Contact Us
            </ButtonLink>
          </div>
        </div>
        <div className="min-w-0 lg:col-span-7">{children}</div>
      </Container>
      <Container>
        <dl className="grid border-t border-line py-8 text-sm sm:grid-cols-3 sm:gap-x-8">
          <Fact term="Trusted by 2000+ businesses">in offices, shops and dealerships</Fact>
          <Fact term="Monitoring 24/7">automated, on every plan</Fact>
          <Fact term="People at the desk">{unbrokenHours(company.hours)}</Fact>
        </dl>
      </Container>
    </section>
  );
}

function Fact({ term, children }: { term: string; children: string }) {
  return (
    <div className="py-2">
      <dt className="font-semibold text-ink">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
