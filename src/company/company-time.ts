/** Times on the company's clock, as emails and cards write them. */
import type { Company } from './company.ts';

/** 'Friday, November 20, 2026 at 12:05 AM EST'. */
export function momentIn({ hours }: Company, at: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}

/** 'November 20, 2026'. */
export function dayIn({ hours }: Company, at: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    dateStyle: 'long',
  }).format(at);
}
