/** The form's fields as they are typed: text, whatever it will mean. */
export const CONTACT_FIELDS = ['name', 'email', 'phone', 'service', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

export type ContactValues = Record<ContactField, string>;
/** In words for the person at the form. */
export type ContactFaults = Partial<ContactValues>;
