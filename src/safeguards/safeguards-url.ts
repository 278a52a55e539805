/** The URL of the self-check, and the fragments of its parts. */
export const SAFEGUARDS = {
  path: '/safeguards-check',
  title: 'FTC Safeguards check for dealerships',
} as const;

export const RESULT = '#result';
export const stepOf = (id: string) => `#q-${id}`;
