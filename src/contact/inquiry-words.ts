/** What staff read of contact messages and chat messages; no page of the site carries it. */
import type { Company } from '../company/company.ts';
import { SERVICE_CHOICES } from './contact-fields.ts';

/** The subject of the answer to a message with this reference. */
export function inquirySubject({ name }: Company, reference: string): string {
  return `Re: Your inquiry to ${name} (${reference})`;
}

export function suspicion(mark: string): { suspicious: boolean; warning: string | null } {
  const suspicious = mark === 'spam';
  return {
    suspicious,
    warning: suspicious ? 'This message looks like spam. Don’t open any links in it.' : null,
  };
}

/** Undefined for none, and for one that is not offered any more. */
export function serviceLabel(service: string | null): string | undefined {
  return Object.entries(SERVICE_CHOICES).find(([value]) => value === service)?.[1];
}
