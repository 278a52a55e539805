/**
 * The contact form's fields as they are typed, and its words. There is no schema in this file, so the form appears before
 * one is loaded.
 */
export const CONTACT_FIELDS = ['name', 'email', 'phone', 'service', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

export type ContactValues = Record<ContactField, string>;
/** In words for the person at the form. */
export type ContactFaults = Partial<ContactValues>;

/** One thing for each field. */
export function eachField<Thing>(
  make: (field: ContactField) => Thing,
): Record<ContactField, Thing> {
  const entries = CONTACT_FIELDS.map((field) => [field, make(field)]);
  return Object.fromEntries(entries);
}

/** What a message may be about: stored by value, shown by label. */
export const SERVICE_CHOICES = {
  'managed-it': 'IT Managed Services',
  network: 'Network Support & Maintenance',
  cybersecurity: 'Cybersecurity Services',
  hardware: 'Hardware Procurement & Integration',
  telecom: 'Telecommunications Services',
  voip: 'VoIP Services',
  cellular: 'Cellular Services',
  internet: 'Internet Services',
  cloud: 'Cloud Services',
  virtual: 'Virtual Infrastructure',
  saas: 'Software-as-a-Service',
  consulting: 'IT Consulting',
  other: 'Other',
} as const;

export const SENT = {
  title: 'Message Sent Successfully!',
  description: "Thank you for your message. We'll get back to you soon.",
};

export const NOT_SENT = 'There was a problem sending your message. Please try again.';
