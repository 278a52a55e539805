/** Quotes saved, opened, changed, paid and taken back. */
import { SAMPLE_ORDER } from './call-row.ts';
import type { Drive } from './drive-calls.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

export async function driveQuotes(app: TestApp, staff: Visitor, drive: Drive): Promise<void> {
  const { planId, name } = SAMPLE_ORDER;
  const asked = { planId, name, email: 'quoted@dealer.example' };
  const save = () => drive('POST /api/quotes', () => app.visitor().post('/api/quotes', asked));
  const tokenIn = (url: string) => url.split('/').at(-1);
  const token = tokenIn((await save()).json.url);
  await drive('POST /api/quote', () => app.visitor().post('/api/quote', { token }));
  for (const wanted of [false, true]) {
    const body = { token, wanted };
    await drive('POST /api/quote/reminders', () =>
      app.visitor().post('/api/quote/reminders', body),
    );
  }
  const order = { ...SAMPLE_ORDER, quote: token };
  for (const what of ['', ' in place of an order'])
    await drive(`POST /api/create-payment-intent by quote${what}`, () =>
      app.visitor().post('/api/create-payment-intent', order),
    );
  const own = Number((await save()).json.reference.slice(2));
  const body = { ...asked, discount: null, days: 30, send: true };
  await drive('POST /api/admin/quotes', () => staff.move().post('/api/admin/quotes', body));
  const path = '/api/admin/quotes/:id';
  const here = path.replace(':id', `${own}`);
  await drive(`GET ${path}`, () => staff.move().get(here));
  await drive(`POST ${path}`, () => staff.move().post(here, body));
  await drive(`POST ${path}/link`, () => staff.move().post(`${here}/link`));
  await drive(`POST ${path}/withdraw`, () => staff.move().post(`${here}/withdraw`));
}
