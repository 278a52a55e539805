/** Where the self-check is, and what its parts are called behind the #. */
export const SAFEGUARDS = {
  path: '/safeguards-check',
  title: 'FTC Safeguards check for dealerships',
} as const;

export const RESULT = '#result';
export const FINISH = '#finish';
export const stepOf = (id: string) => `#q-${id}`;
