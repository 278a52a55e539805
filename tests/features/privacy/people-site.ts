/** A site with mail and Teams where people write and buy, and staff handle their data. */

import { beforeAll, beforeEach, expect } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import type { Visitor } from '../../support/visitor.ts';

let people = 0;
/** A new person, so that tests on one site do not share data. */
export function newPerson() {
  people += 1;
  return {
    email: `Whitfield-${people}@dealer.example`,
    name: `Dana Whitfield the ${people}th`,
    phone: `(770) 555-01${String(people).padStart(2, '0')}`,
  };
}
export type Person = ReturnType<typeof newPerson>;

/** Starts the site for the whole test file. */
export function peopleSite() {
  const site = Object.assign(notifiedSite('all tests'), {} as { staff: Visitor });
  beforeAll(async () => {
    site.staff = await site.app.staff();
  });
  beforeEach(() => {
    site.mailbox.behaviour = () => 'accept';
    site.teams.behaviour = () => 'accept';
    site.staff.move();
  });

  async function write(person: Partial<Person>, message = 'Our tablets lose Wi-Fi.') {
    const { status, json } = await site.app.visitor().post('/api/contact', { ...person, message });
    expect(status).toBe(200);
    return json.reference as string;
  }

  /** A conversation belongs to the visitor's browser. */
  async function chat(
    { name, email }: Partial<Person>,
    message: string,
    visitor = site.app.visitor(),
  ) {
    const { status, json } = await visitor.post('/api/teams-chat', { name, email, message });
    expect(status).toBe(200);
    return json as { reference: string };
  }

  async function buy(person: Partial<Person>, { pay = true, key = 'key' } = {}) {
    const visitor = site.app.visitor();
    const { json } = await visitor.post(
      '/api/create-payment-intent',
      { ...person, planId: 1, amount: 450 },
      { 'Idempotency-Key': `${key}-${person.email}` },
    );
    const { orderId: id, clientSecret } = json;
    if (pay) await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    return { id: id as number, reference: orderReference(id), visitor };
  }

  const find = (email: string) =>
    site.staff.get(`/api/admin/people?find=${encodeURIComponent(email)}`);
  const countOf = async (email: string, kind: string): Promise<number> => {
    const { items } = (await find(email)).json;
    return items.filter((item: { kind: string }) => item.kind === kind).length;
  };
  const download = (email: string) =>
    site.staff.get(`/api/admin/people/download?find=${encodeURIComponent(email)}`);
  async function end(id: number) {
    const { version } = (await site.staff.get(`/api/orders/${id}`)).json;
    return site.staff.post(`/api/admin/orders/${id}/cancel`, { when: 'now', version });
  }
  const erase = (email: string) => site.staff.post('/api/admin/people/erase', { email });

  const nothingWaits = () =>
    expect
      .poll(async () => (await site.staff.move().get('/api/admin/outbox')).json.waiting)
      .toBe(0);

  /** Stopping waits for deliveries in progress. */
  async function restart() {
    site.app = await site.app.restart();
    site.staff = await site.app.staff();
  }

  const calls = { write, chat, buy, find, countOf, download, end, erase };
  return Object.assign(site, { ...calls, nothingWaits, restart });
}
