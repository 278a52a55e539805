import { useSite } from '../platform/site.ts';
import { pictureAddress } from '../ui/picture.tsx';

export function Logo({ onInk = false }: { onInk?: boolean }) {
  const { company, pictures } = useSite();
  const image = onInk ? '/pictures/logo-light.svg' : '/pictures/logo.svg';
  return (
    <img
      src={pictureAddress(image, pictures[image])}
      alt={company.name}
      width={196}
      height={48}
      loading={onInk ? 'lazy' : 'eager'}
      className="h-9 w-auto"
    />
  );
}

/** The head of a paper, on a phone its foot. In print it replaces the page's bar. */
export function Letterhead({ onlyPrinted = false }: { onlyPrinted?: boolean }) {
  const { legalName, address, phone, email } = useSite().company;
  const { street, city, region, postalCode } = address;
  return (
    <div
      data-letterhead
      className={`mb-8 flex-wrap max-sm:order-last max-sm:mt-8 max-sm:mb-0 max-sm:border-t max-sm:border-line max-sm:pt-6 items-start justify-between gap-x-8 gap-y-4 text-sm print:flex ${onlyPrinted ? 'hidden' : 'flex'}`}
    >
      <Logo />
      <address className="min-w-0 wrap-anywhere not-italic sm:text-right print:text-right">
        <strong className="font-medium text-ink">{legalName}</strong>
        {[street, `${city}, ${region} ${postalCode}`, phone.display, email].map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </address>
    </div>
  );
}
