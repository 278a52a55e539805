/** The values of placeholders such as {{phone}} in content/, so that each fact is written once. */
import type { Inline } from '../platform/rich-text.ts';
import { addressLine, type Company } from './company.ts';
import { openingHours } from './hours.ts';
import type { VendorFile } from './vendor-file.ts';

const PLACEHOLDERS =
  'name legalName email phone address city hours messagesKept breachHours dataDays dataFormats'.split(
    ' ',
  );

/** When a file is invalid, something stands for it, so that only that file is reported. */
export function placeholdersOf(
  company: Company | undefined,
  keepMessagesDays: number,
  vendorFile: VendorFile | undefined,
): Map<string, Inline> {
  if (!company || !vendorFile) return new Map(PLACEHOLDERS.map((name) => [name, '…']));
  const { name, legalName, email, phone, address, hours } = company;
  const messagesKept =
    keepMessagesDays === 0
      ? 'until you ask us to delete them'
      : `until ${keepMessagesDays} days have passed since the last one, or until you ask us to delete them`;
  return new Map<string, Inline>([
    ['name', name],
    ['legalName', legalName],
    ['email', { kind: 'link', href: `mailto:${email}`, content: [email] }],
    ['phone', { kind: 'link', href: `tel:${phone.tel}`, content: [phone.display] }],
    ['address', addressLine(address)],
    ['city', address.city],
    ['hours', openingHours(hours)],
    ['messagesKept', messagesKept],
    ['breachHours', String(vendorFile.breach.hours)],
    ['dataDays', String(vendorFile.dataAtEnd.days)],
    ['dataFormats', vendorFile.dataAtEnd.formats],
  ]);
}
