/** Who the provider is, as every document's data tells it. */
import {
  fields,
  list,
  number,
  oneOf,
  or,
  type Reader,
  record,
  text,
} from '../platform/old/read.ts';
import type { Site } from '../platform/site.ts';
import type { Company } from './company.ts';
import { WEEKDAYS } from './weekdays.ts';

/** A text that is an address; of any other, the first part that needs it would throw. */
const address: Reader<string> = (value) => {
  try {
    return new URL(`${value}`) && text(value);
  } catch {
    return undefined;
  }
};

const readCompany = fields<Company>({
  name: text,
  legalName: text,
  tagline: text,
  description: text,
  about: text,
  supportName: text,
  phone: fields<Company['phone']>({ display: text, tel: text }),
  email: text,
  address: fields<Company['address']>({
    street: text,
    city: text,
    region: text,
    postalCode: text,
    country: text,
  }),
  hours: fields<Company['hours']>({
    days: list(oneOf(WEEKDAYS)),
    opens: text,
    closes: text,
    timeZone: text,
    zone: text,
  }),
  priceRange: text,
  social: list(fields<Company['social'][number]>({ name: text, url: text })),
});

export const readSite = fields<Site>({
  company: readCompany,
  pictures: record(
    fields({ width: number, height: number, version: text, widths: or(list(number), null) }),
  ),
  publicUrl: address,
});
