/** What a message may be about, as the form offers it. A file of its own, so that the form shows before any schema is loaded. */
export const SERVICE_CHOICES = [
  { value: 'managed-it', label: 'IT Managed Services' },
  { value: 'network', label: 'Network Support & Maintenance' },
  { value: 'cybersecurity', label: 'Cybersecurity Services' },
  { value: 'hardware', label: 'Hardware Procurement & Integration' },
  { value: 'telecom', label: 'Telecommunications Services' },
  { value: 'voip', label: 'VoIP Services' },
  { value: 'cellular', label: 'Cellular Services' },
  { value: 'internet', label: 'Internet Services' },
  { value: 'cloud', label: 'Cloud Services' },
  { value: 'virtual', label: 'Virtual Infrastructure' },
  { value: 'saas', label: 'Software-as-a-Service' },
  { value: 'consulting', label: 'IT Consulting' },
  { value: 'other', label: 'Other' },
] as const;

export type ServiceChoice = (typeof SERVICE_CHOICES)[number]['value'];

/** 'voip' → 'VoIP Services'; null and what is no longer offered give undefined. */
export function serviceLabel(value: string | null): string | undefined {
  return SERVICE_CHOICES.find((choice) => choice.value === value)?.label;
}
