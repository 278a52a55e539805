/** What happens reaches a program of the company, signed, at least once, in order per order. */

import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../../tests/support/call-row.ts';
import { makeCertificate } from '../../tests/support/certificate.ts';
import { accept, FakeWebhook } from '../../tests/support/fake-webhook.ts';
import { customer, NO_BACKUP, shownPrice } from '../../tests/support/own-page.ts';
import { orderByQuote, QUOTE } from '../../tests/support/quote-site.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { withoutSpaces } from '../billing/reference.ts';

let receiver: FakeWebhook;
beforeEach(async () => {
  receiver = await FakeWebhook.start();
});
afterEach(async () => {
  await receiver.stop();
  expect(receiver.faults).toEqual([]);
});

const status = (code: number, headers = {}) => ({
  answer: (response: ServerResponse) =>
    void response.writeHead(code, headers).end('x'.repeat(100_000)),
});

describe('the receiver of a site', () => {
  let app: TestApp;
  let staff: Visitor;
  beforeEach(async () => {
    app = await startTestApp(receiver.variables);
    staff = await app.staff();
  });
  afterEach(() => app.stop());

  /** The types of the events about what has this reference, once they have arrived. */
  const arrive = (reference: string, ...types: string[]) =>
    expect
      .poll(() =>
        receiver.accepted
          .filter(({ data }) => data.reference === reference)
          .map(({ type }) => type),
      )
      .toEqual(types);
  const eventOf = (type: string) => receiver.accepted.find((event) => event.type === type);

  test('hears of a message and of a chat with what a ticket needs', async () => {
    const visit = { 'First-Visit': 'page=%2F&source=fair' };
    await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, service: 'voip' }, visit);
    await app.visitor().post('/api/teams-chat', { message: 'Is anybody there?' });
    await arrive('C-1', 'message.received');
    await arrive('T-2', 'chat.received');
    expect(eventOf('message.received')).toEqual({
      id: expect.stringMatching(/^evt_\w+$/),
      type: 'message.received',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        reference: 'C-1',
        ...{ ...SAMPLE_MESSAGE, phone: null, service: 'VoIP Services', suspicious: false },
        source: { source: 'fair', medium: null, campaign: null, host: null, page: '/' },
        url: `${app.address}/admin?open=1`,
      },
    });
    expect(eventOf('chat.received')?.data).toMatchObject({ name: null, email: null });
  });

  test('hears of a quote that a visitor or a colleague saved, and of its acceptance and payment', async () => {
    const { json } = await app.visitor().post('/api/quotes', QUOTE);
    const made = { ...QUOTE, email: 'other@x.example', discount: null, days: 10, send: false };
    const { json: byStaff } = await staff.post('/api/admin/quotes', made);
    await arrive(withoutSpaces(json.reference), 'quote.saved');
    await arrive(withoutSpaces(byStaff.reference), 'quote.saved');
    const token = new URL(json.url).pathname.replace('/quote/', '');
    const buyer = app.visitor();
    const placed = await buyer.post('/api/create-payment-intent', orderByQuote(token));
    const { orderId, clientSecret } = placed.json;
    const pay = (card: string) =>
      buyer.post('/api/test-payments/confirm', { clientSecret, token: card });
    await pay('declined');
    await pay('succeeds');
    await arrive(`O-${orderId}`, 'order.failed', 'quote.accepted', 'order.paid');
    expect(eventOf('quote.accepted')?.data).toMatchObject({
      quote: withoutSpaces(json.reference),
      test: true,
      monthlyAmount: 624.5,
      company: null,
    });
  });

  test('hears in order what becomes of an order', async () => {
    const { orderId, ask } = await customer(app);
    const twelve = { users: 12, backup: false, from: NO_BACKUP };
    const shown = (await ask('preview', twelve)).json;
    await ask('change', { ...twelve, ...shownPrice(shown) });
    const press = async (what: string, body: object) => {
      const { version } = (await staff.get(`/api/orders/${orderId}`)).json;
      return staff.post(`/api/admin/orders/${orderId}/${what}`, { ...body, version });
    };
    await press('refund', { amount: 50 });
    await press('cancel', { when: 'now' });
    const all = ['order.paid', 'order.changed', 'order.refunded', 'order.ended'];
    await arrive(`O-${orderId}`, ...all);
    expect(receiver.accepted.at(-1)?.data).toMatchObject({
      status: 'canceled',
      plan: 'Essential, Microsoft 365 Business Standard, 12 users without cloud backup',
      refunded: 50,
    });
  });
});

describe('an event', () => {
  let site: TestOutbox;
  beforeEach(async () => {
    site = await startTestOutbox(receiver.variables);
  });
  afterEach(() => site.stop());

  test.each([
    [500, 'refused (500)'],
    [410, 'refused (410)'],
    [422, 'refused (422)'],
    [307, 'answered with a redirect (307), which is not followed'],
  ])('that was answered with %i is sent again under the same id', async (code, lastAnswer) => {
    const refuse = status(code, { Location: receiver.variables.WEBHOOK_URL }).answer;
    receiver.answer = () => (receiver.tries.length < 3 ? refuse : accept);
    await site.submit();
    await site.becomes([{ lastAnswer, state: 'waiting' }]);
    await site.soonBecomes([{ state: 'accepted', tries: 3 }]);
    expect(new Set(receiver.tries).size).toBe(1);
    expect(receiver.accepted).toHaveLength(1);
  });

  test('that broke on the way is sent again, and its answer tells neither address nor secret', async () => {
    receiver.answer = () => (response) =>
      receiver.tries.length < 2 ? void response.destroy() : accept(response);
    await site.submit();
    await site.becomes([{ lastAnswer: expect.stringMatching(/^no connection/) }]);
    await site.soonBecomes([{ state: 'accepted' }]);
    expect(JSON.stringify(await site.deliveries())).not.toMatch(/5f1e2d|whsec/);
  });

  test('uses up no try while the receiver’s certificate is not valid, since it was not sent', async () => {
    const server = createServer(makeCertificate(), (_request, response) => accept(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const WEBHOOK_URL = `https://localhost:${port}/`;
    const behind = await startTestOutbox({ ...receiver.variables, WEBHOOK_URL });
    await behind.submit();
    const lastAnswer = 'no connection (DEPTH_ZERO_SELF_SIGNED_CERT)';
    await behind.becomes([{ lastAnswer, state: 'waiting', tries: 0 }]);
    await behind.stop();
    server.close();
  });

  test('that is refused holds up the later ones of its conversation, but no other', async () => {
    receiver.answer = ({ data }) => (data.message === 'first' ? status(400).answer : accept);
    await site.chat({ message: 'first' });
    await site.chat({ message: 'second' });
    await site.chat({ message: 'other', conversation: 'another' });
    await expect.poll(() => receiver.accepted.map(({ data }) => data.message)).toEqual(['other']);
    receiver.answer = () => accept;
    await site.soonBecomes(Array(3).fill({ state: 'accepted' }));
    expect(receiver.accepted.map(({ data }) => data.message)).toEqual(['other', 'first', 'second']);
  });
});
