import { useSite } from '../platform/site.ts';
import { pictureAddress } from '../ui/picture.tsx';
import { addressLine } from './company.ts';

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

/** Only printed. */
export function Letterhead() {
  const { legalName, address } = useSite().company;
  return (
    <p className="mb-10 hidden text-sm print:block">
      {legalName}
      <br />
      {addressLine(address)}
    </p>
  );
}
