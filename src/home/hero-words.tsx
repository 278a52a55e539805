import ArrowRight from 'lucide-react/icons/arrow-right';
import { unbrokenHours } from '../company/hours.ts';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';

export function HeroWords({ from }: { from: string }) {
  const { company } = useSite();
  return (
    <>
      <p className="text-sm font-medium text-primary">{company.tagline}</p>
      <h1 id="hero-heading" className="mt-4 text-3xl tracking-[-0.04em]">
        Modern Technology Solutions for Your Business
      </h1>
      <p className="mt-6 max-w-md text-lg">
        One team for computers, network, phones, and security.
        {from && ` From ${from} a month.`}
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
    </>
  );
}

export function HeroFacts() {
  const { company } = useSite();
  return (
    <dl className="grid border-t border-line py-8 text-sm sm:grid-cols-3 sm:gap-x-8">
      <Fact term="Trusted by 2000+ businesses">Offices, shops, and dealerships</Fact>
      <Fact term="24/7 monitoring">Automated, on every plan</Fact>
      <Fact term="Support hours">{unbrokenHours(company.hours)}</Fact>
    </dl>
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
