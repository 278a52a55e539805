/** What staff's messages say of contact messages and chat messages alike. */
import type { Company } from '../company/company.ts';

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
