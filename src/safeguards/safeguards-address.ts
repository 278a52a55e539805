/** Where the self-check is, and what its parts are called behind the #. */
export const SAFEGUARDS = {
  path: '/safeguards-check',
  title: 'FTC Safeguards check for dealerships',
} as const;

/** Where the form without script asks for the report by email. */
export const EMAIL_REPORT_PATH = `${SAFEGUARDS.path}/email`;

export const RESULT = '#result';
export const FINISH = '#finish';
export const stepOf = (id: string) => `#q-${id}`;
