/** A file of its own, so that no page of the site carries it. */
import { SERVICE_CHOICES } from './service-choices.ts';

/** Undefined for none, and for one that is not offered any more. */
export function serviceLabel(service: string | null): string | undefined {
  return Object.entries(SERVICE_CHOICES).find(([value]) => value === service)?.[1];
}
