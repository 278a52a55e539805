/** The fields of the specified calls: no others, and optional ones only with a value. */
import type { Request } from 'playwright-core';

const FIELDS: readonly { call: RegExp; always: readonly string[]; with: readonly string[] }[] = [
  {
    call: /^\/api\/contact$/,
    always: ['name', 'email', 'phone', 'service', 'message'],
    with: [],
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
    with: ['phone', 'company', 'postalCode', 'another', 'quote', 'addendum', 'title', 'dueToday'],
  },
  { call: /^\/api\/orders\/\d+\/update-status$/, always: ['status'], with: ['paymentId'] },
  { call: /^\/api\/update-plans$/, always: [], with: [] },
];

/** The missing, unknown and empty optional fields of a body; nothing for other calls. */
export function bodyFaults(request: Request): string[] {
  const { pathname } = new URL(request.url());
  const fields = FIELDS.find(({ call }) => request.method() === 'POST' && call.test(pathname));
  if (!fields) return [];
  const body: Record<string, unknown> = request.postDataJSON() ?? {};
  const missing = fields.always.filter((field) => !(field in body));
  const unknown = Object.keys(body).filter(
    (field) => !fields.always.includes(field) && !fields.with.includes(field),
  );
  const empty = fields.with.filter((field) => ['', null, false].some((no) => body[field] === no));
  return [...missing, ...unknown, ...empty].map((field) => `${pathname}: ${field}`);
}
