/** What the server tells reaches the screens whole: where they read an answer, nothing of it is lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { LIST_PLANS, LIST_SERVICES, LIST_SOLUTIONS } from '../../../src/catalogue/catalogue.ts';
import { checkoutDocument } from '../../../src/checkout/checkout-data.ts';
import {
  COUNT_INBOX,
  GET_CONTACT,
  GET_CONVERSATION,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
} from '../../../src/inbox/inbox-api.ts';
import { LIST_OUTBOX } from '../../../src/notifications/outbox-api.ts';
import { GET_ORDER, LIST_ORDERS, orderView, PLACE_ORDER } from '../../../src/orders/order-api.ts';
import type { Schema } from '../../../src/platform/contract.ts';
import { ERASE_PERSON, FIND_PERSON } from '../../../src/privacy/person-api.ts';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

type Reader<Data> = (value: unknown) => Data | undefined;

const readerOf =
  <Answer extends Schema>(schema: Answer) =>
  (value: unknown) =>
    z.safeParse(schema, value).data;
const readSubmissions = readerOf(LIST_CONTACTS.answer);
const readSubmission = readerOf(GET_CONTACT.answer);
const readConversations = readerOf(LIST_CONVERSATIONS.answer);
const readThread = readerOf(GET_CONVERSATION.answer);
const readCounts = readerOf(COUNT_INBOX.answer);
const readOutbox = readerOf(LIST_OUTBOX.answer);
const readOrder = readerOf(orderView);
const readOrderList = readerOf(LIST_ORDERS.answer);
const readStaffOrder = readerOf(GET_ORDER.answer);
const readStarted = readerOf(PLACE_ORDER.answer);
const readPerson = readerOf(FIND_PERSON.answer);
const readErased = readerOf(ERASE_PERSON.answer);

const PERSON = { ...SAMPLE_MESSAGE, phone: '404-555-0100' };

describe('a whole answer is read whole', () => {
  let mailbox: Mailbox;
  let app: TestApp;
  let staff: Visitor;
  let owner: Visitor;
  let started: { orderId: number; clientSecret: string };
  beforeAll(async () => {
    mailbox = await Mailbox.start();
    mailbox.behaviour = () => 451;
    app = await startTestApp(mailbox.variables);
    staff = await app.staff();
    owner = app.visitor();
    await owner.post('/api/contact', { ...PERSON, service: 'voip' });
    await owner.post('/api/teams-chat', SAMPLE_MESSAGE);
    const { message, ...buyer } = PERSON;
    const choice = { ms365Option: 'e3', ms365Users: 3, includeCloudBackup: true };
    const order = { ...buyer, planId: 1, ...choice, amount: 450 + 3 * 36 + 3 * 4.95 };
    started = (await owner.post('/api/create-payment-intent', order)).json;
    const { clientSecret } = started;
    await owner.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  });
  afterAll(async () => {
    await app.stop();
    await mailbox.stop();
  });

  test('of the payment that is begun', () => {
    expect(readStarted(started)).toEqual(inCents(started));
  });

  test('of an order, by staff', async () => {
    const { status, json } = await staff.get(`/api/orders/${started.orderId}`);
    expect(status).toBe(200);
    expect(readStaffOrder(json)).toEqual(inCents(json));
  });

  test.each<[string, string, Reader<unknown>]>([
    ...[LIST_PLANS, LIST_SERVICES, LIST_SOLUTIONS].map(
      (list): [string, string, Reader<unknown>] => [
        list.path,
        list.path,
        (answer) => list.answer.parse(answer),
      ],
    ),
    ['the orders', '/api/admin/orders', readOrderList],
    ['the messages', '/api/admin/contacts', readSubmissions],
    ['a message', '/api/admin/contacts/1', readSubmission],
    ['the conversations', '/api/admin/conversations', readConversations],
    ['a conversation', '/api/admin/conversations/1', readThread],
    ['the counts of the inbox', '/api/admin/inbox/counts', readCounts],
    ['the outbox', '/api/admin/outbox', readOutbox],
    ['a person', `/api/admin/people?find=${PERSON.email}`, readPerson],
  ])('of %s', async (_, path, read) => {
    const { status, json } = await staff.get(path);
    expect(status).toBe(200);
    expect(read(json)).toEqual(inCents(json));
  });

  test('of an order, by its owner', async () => {
    const { json } = await owner.get(`/api/orders/${started.orderId}`);
    expect(json.lines.map(({ kind }: { kind: string }) => kind)).toEqual([
      'plan',
      'microsoft365',
      'backup',
    ]);
    expect(readOrder(json)).toEqual(inCents(json));
  });

  test.each(['/checkout/2?microsoft365=e3&ms365_users=7&cloud_backup=true', '/checkout/order'])(
    'of what %s tells its script',
    async (path) => {
      const { text } = await owner.get(path);
      const [, data = ''] = /id="page-data">(.*?)<\/script>/s.exec(text) ?? [];
      const { site, ...told } = JSON.parse(data);
      const { site: readSite, ...read } = checkoutDocument.parse(JSON.parse(data));
      expect(read).toEqual(inCents(told));
      expect(readSite).toMatchObject({ company: site.company, publicUrl: site.publicUrl });
      const pictures = Object.entries(readSite?.pictures ?? {});
      expect(pictures).not.toEqual([]);
      // Of one without sizes to choose from there are none to tell.
      for (const [address, { widths, ...picture }] of pictures)
        expect(site.pictures[address]).toMatchObject({ ...picture, ...(widths && { widths }) });
    },
  );

  test('of what was erased', async () => {
    const { orderId } = started;
    await staff.post(`/api/admin/orders/${orderId}/cancel`, { when: 'now' });
    const { email } = PERSON;
    const { status, json } = await staff.post('/api/admin/people/erase', { email });
    expect(status).toBe(200);
    expect(json.erased.length + json.kept.length).toBe(3);
    expect(readErased(json)).toEqual(json);
  });
});

const AMOUNTS = /^(amount|price|unitPrice|tax|refunded)$/;

/** An answer with its dollars in cents, as screens reckon. */
function inCents(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) =>
    AMOUNTS.test(name) && typeof value === 'number' ? Math.round(value * 100) : value,
  );
}

/** A screen leaves these out. */
function isNothing(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

test.each<[string, Reader<object>, Record<string, unknown>]>([
  ['an order', readStaffOrder, { id: 7 }],
  ['a list of orders', readOrderList, { orders: [] }],
  ['a begun payment', readStarted, { clientSecret: 'secret' }],
  ['a message', readSubmission, { id: 7 }],
  // The one that is its newest.
  ['a conversation', readThread, { id: 7, messages: 1 }],
  ['the counts of the inbox', readCounts, {}],
  ['the outbox', readOutbox, { deliveries: [] }],
  ['erased things', readErased, {}],
])('of %s that tells as little as possible the screen shows no more', (_, read, least) => {
  const thing = read(least) ?? {};
  expect(thing).toMatchObject(least);
  const more = Object.entries(thing).filter(([field]) => !(field in least));
  expect(more.filter(([, value]) => !isNothing(value))).toEqual([]);
  expect(more).not.toEqual([]);
});
