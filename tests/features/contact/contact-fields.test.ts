/** No field of the contact form is left out where nothing else would say so. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTACT_FIELDS, type ContactMessage } from '../../../src/contact/contact.ts';
import { FakeWebhook } from '../../support/fake-webhook.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let receiver: FakeWebhook;
let app: TestApp;
beforeAll(async () => {
  receiver = await FakeWebhook.start();
  app = await startTestApp(receiver.variables);
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

/** The service is also found by its label. */
const TYPED: ContactMessage = {
  name: 'Rosalind Achterberg',
  email: 'rosalind@vineyard.example',
  phone: '(503) 555-0142',
  service: 'voip',
  message: 'The scale house has no dial tone.',
};

test('what a visitor types into any field reaches the person’s file, the messages CSV and programs', async () => {
  const staff = await app.staff();
  expect((await app.visitor().post('/api/contact', TYPED)).status).toBe(200);
  await expect.poll(() => receiver.accepted).toHaveLength(1);
  const places = {
    'the person’s file': (await staff.get(`/api/admin/people/download?find=${TYPED.email}`)).text,
    'the messages CSV': (await staff.get('/api/admin/messages/download')).text,
    'the event': JSON.stringify(receiver.accepted[0]?.data),
  };
  const missing = Object.entries(places).flatMap(([place, text]) =>
    CONTACT_FIELDS.filter(
      (field) => !text.toLowerCase().includes(`${TYPED[field]}`.toLowerCase()),
    ).map((field) => `${field} in ${place}`),
  );
  expect(missing).toEqual([]);
});
