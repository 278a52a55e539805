import { useSite } from '../platform/site.ts';

/** Whose paper it is, where a page is printed. */
export function Letterhead() {
  const { legalName, address } = useSite().company;
  return (
    <p className="mb-10 hidden text-sm print:block">
      {legalName}
      <br />
      {address.street}, {address.city}, {address.region} {address.postalCode}
    </p>
  );
}
