import { useSite } from '../platform/site.ts';
import { pictureAddress } from '../ui/picture.tsx';
import { cityLine } from './company.ts';

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

/** The head of what is printed, where it replaces the page's bar. */
export function Letterhead() {
  return (
    <div data-letterhead className="mb-8 hidden items-start justify-between gap-8 print:flex">
      <Logo />
      <CompanyAddress className="text-right" />
    </div>
  );
}

export function CompanyAddress({ className }: { className: string }) {
  const { legalName, address, phone, email } = useSite().company;
  return (
    <address className={`min-w-0 text-sm wrap-anywhere not-italic ${className}`}>
      <strong className="font-medium text-ink">{legalName}</strong>
      {[address.street, cityLine(address), phone.display, email].map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}
