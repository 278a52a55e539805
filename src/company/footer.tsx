import { useSite } from '../platform/site.ts';
import { CHECKOUT_PAGES, CONTENT_PATHS, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { Container } from '../ui/layout.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { cityLine, customerLinks } from './company.ts';
import { Logo } from './logo.tsx';
import { OpeningHours } from './opening-hours.tsx';

interface FooterLink {
  label: string;
  href: string;
}

const QUICK_LINKS = [
  { label: 'About Us', href: HOME_SECTIONS.about.path },
  { label: 'Pricing', href: HOME_SECTIONS.pricing.path },
  { label: 'News', href: SITE_PAGES.news.path },
  { label: 'Contact', href: HOME_SECTIONS.contact.path },
  { label: 'Checkout', href: CHECKOUT_PAGES.checkout.path },
  { label: 'Manage your plan', href: CHECKOUT_PAGES.order.path },
  { label: 'Resources', href: SITE_PAGES.resources.path },
];

const LEGAL_LINKS = [
  { label: 'Privacy Policy', href: CONTENT_PATHS.privacyPolicy },
  { label: 'Terms of Service', href: CONTENT_PATHS.termsOfService },
  { label: 'Security Policy', href: CONTENT_PATHS.securityPolicy },
];

const LINK =
  'inline-flex min-h-7 lg:min-h-8 items-center hover:text-white hover:underline underline-offset-4';

export function Footer() {
  const { company } = useSite();
  const { address } = company;
  return (
    <footer className="on-night pt-10 pb-17 text-sm lg:pt-20">
      <Container>
        <div className="grid gap-x-8 gap-y-7 lg:grid-cols-12 lg:gap-y-12">
          <div className="lg:col-span-5">
            <Logo onInk />
            <p className="mt-4 max-w-sm lg:mt-5">{company.about}</p>
            <p className="mt-2 text-white lg:mt-3">
              <a href={CONTENT_PATHS.trust} className={LINK}>
                What you can check about us
              </a>
            </p>
            <Links
              links={company.social.map(({ name, url }) => ({ label: name, href: url }))}
              rel="noopener me"
              className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-white lg:mt-5"
            />
          </div>
          <div className="grid grid-cols-2 gap-x-6 gap-y-7 sm:flex sm:flex-wrap sm:justify-between sm:gap-x-8 lg:col-span-7">
            <FooterLinks
              heading="Services"
              links={company.footerServices.map((label) => ({
                label,
                href: HOME_SECTIONS.services.path,
              }))}
            />
            <FooterLinks
              heading="Quick links"
              links={[...QUICK_LINKS, ...customerLinks(company)]}
            />
            <div className="col-span-2 md:max-w-56">
              <h2 className="text-sm">Contact</h2>
              <address className="mt-3 not-italic">
                <p>
                  <a
                    href={`tel:${company.phone.tel}`}
                    className={`${LINK} text-white tabular-nums`}
                  >
                    {company.phone.display}
                  </a>
                </p>
                <p>
                  <a href={`mailto:${company.email}`} className={`${LINK} text-white`}>
                    {company.email}
                  </a>
                </p>
                <p className="mt-3">
                  {address.street}
                  <br />
                  <span>{cityLine(address)}</span>
                </p>
              </address>
              <p className="mt-3">
                <OpeningHours />
              </p>
            </div>
          </div>
        </div>
        <div className="mt-7 flex flex-wrap items-center lg:mt-14 justify-between gap-x-8 gap-y-2 border-t border-night-line pt-5 text-xs lg:pt-6">
          <p>{`© ${company.legalName}`}</p>
          <ThemeChoice />
          <Links links={LEGAL_LINKS} className="flex flex-wrap gap-x-6 gap-y-1" />
        </div>
      </Container>
    </footer>
  );
}

function FooterLinks({ heading, links }: { heading: string; links: readonly FooterLink[] }) {
  return (
    <nav aria-label={heading}>
      <h2 className="text-sm">{heading}</h2>
      <Links links={links} className="mt-3" />
    </nav>
  );
}

interface LinksProps {
  links: readonly FooterLink[];
  rel?: string;
  className: string;
}

function Links({ links, rel, className }: LinksProps) {
  return (
    <ul className={className}>
      {links.map(({ label, href }) => (
        <li key={label}>
          <a href={href} rel={rel} className={LINK}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
