/** What the specified calls may carry. A field that says nothing is left out, and no other field is sent. */
import type { Request } from 'playwright-core';

const FIELDS: readonly { call: RegExp; always: readonly string[]; with: readonly string[] }[] = [
  {
    call: /^\/api\/contact$/,
    always: ['name', 'email', 'message'],
    with: ['phone', 'service'],
  },
  {
    call: /^\/api\/teams-chat$/,
    always: ['message', 'email', 'name'],
    with: [],
  },
  {
    call: /^\/api\/create-payment-intent$/,
    always: [
      'planId',
      'name',
      'email',
      'ms365Option',
      'ms365Users',
      'includeCloudBackup',
      'amount',
      'paymentMethod',
    ],
    with: ['phone', 'company', 'postalCode', 'another', 'quote'],
  },
  { call: /^\/api\/orders\/\d+\/update-status$/, always: ['status'], with: ['paymentId'] },
  { call: /^\/api\/update-plans$/, always: [], with: [] },
];

/** What is wrong with the body of this request; for requests of other calls nothing is. */
export function bodyFaults(request: Request): string[] {
  const { pathname } = new URL(request.url());
  const fields = FIELDS.find(({ call }) => request.method() === 'POST' && call.test(pathname));
  if (!fields) return [];
  const body: Record<string, unknown> = request.postDataJSON() ?? {};
  const missing = fields.always.filter((field) => !(field in body));
  const unknown = Object.keys(body).filter(
    (field) => !fields.always.includes(field) && !fields.with.includes(field),
  );
  const silent = fields.with.filter((field) => field in body && !says(body[field]));
  return [...missing, ...unknown, ...silent].map((field) => `${pathname}: ${field}`);
}

function says(value: unknown): boolean {
  return value !== '' && value !== null && value !== false;
}
