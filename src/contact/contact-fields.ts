/** The form's fields as they are typed: text, whatever it will mean. */
export const CONTACT_FIELDS = ['name', 'email', 'phone', 'service', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

export type ContactValues = Record<ContactField, string>;
/** In words for the person at the form. */
export type ContactFaults = Partial<ContactValues>;

/** The first complaint about each field; what is about no field of the form is left out. */
export function faultsOf(errors: readonly { path: string; message: string }[]): ContactFaults {
  const faults: ContactFaults = {};
  for (const field of CONTACT_FIELDS) {
    const first = errors.find(({ path }) => path === field);
    if (first) faults[field] = first.message;
  }
  return faults;
}
