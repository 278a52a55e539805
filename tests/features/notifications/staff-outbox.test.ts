/** Staff list undelivered notifications, resend them, and dismiss others. */
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { SECRET } from '../../support/fake-teams.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';

const JANE = { name: 'Jane Doe', email: 'jane@dealer.example' };

const site = notifiedSite();

test('staff see undelivered notifications and why, and resend them', async () => {
  const { app, teams, mailbox } = site;
  teams.behaviour = () => ({ status: 413 });
  mailbox.behaviour = () => 451;
  const message = { ...JANE, message: 'Our phones are down.' };
  const { reference } = (await app.visitor().post('/api/contact', message)).json;
  const colleague = await app.staff();
  const toStaff = {
    channel: 'teams',
    label: 'Message',
    reference,
    state: 'failed',
    tries: 1,
    nextTryAt: null,
    lastAnswer: 'refused (413)',
  };
  const tried = { lastAnswer: expect.any(String) };
  const list = await eventually(async () => {
    const answered = await colleague.get('/api/admin/outbox');
    const deliveries = [toStaff, tried, tried];
    expect(answered.json).toMatchObject({ deliveries, waiting: 2, failed: 1 });
    return answered;
  });
  const { deliveries } = list.json;
  expect(list.text).not.toContain(SECRET);

  teams.behaviour = () => 'accept';
  // The mail server still refuses, or an email might be sent before staff resend it.
  for (const { id } of deliveries) {
    // One that is being tried at this moment cannot be resent.
    await eventually(async () => {
      const { status, json } = await colleague.post(`/api/admin/outbox/${id}/resend`);
      expect([status, json.state]).toEqual([200, 'waiting']);
    });
  }
  mailbox.behaviour = () => 'accept';
  await site.allAccepted();
  expect([teams.accepted.length, mailbox.mails.length]).toEqual([1, 2]);
  const left = await colleague.get('/api/admin/outbox');
  expect(left.json).toEqual({ deliveries: [], waiting: 0, failed: 0 });
  const resend = async (id: number | string) =>
    (await colleague.post(`/api/admin/outbox/${id}/resend`)).status;
  expect([await resend(deliveries[0].id), await resend(999), await resend('x')]).toEqual([
    409, 404, 404,
  ]);
});

test('staff who resend a message do not wait until the receiver’s pause is over', async () => {
  const { app, teams } = site;
  teams.behaviour = () => ({ status: 503, headers: { 'Retry-After': '3600' } });
  await app.visitor().post('/api/teams-chat', { ...JANE, message: 'Is anybody there?' });
  const refused = { channel: 'teams', claimedBy: null, lastAnswer: 'refused (503)' };
  await eventually(async () => expect((await site.deliveries())[0]).toMatchObject(refused));
  teams.behaviour = () => 'accept';
  const resent = await (await app.staff()).post('/api/admin/outbox/1/resend');
  expect(resent.status).toBe(200);
  await site.allAccepted();
});

test('a missed lead is listed before any number of refused customer emails, which staff can dismiss', async () => {
  const refused = {
    channel: 'mail-customer',
    kind: 'contact-received',
    state: 'failed',
    settledAt: Date.now(),
  } as const;
  await saveDeliveries(site.app.database.db, Array(201).fill(refused));
  site.teams.behaviour = () => ({ status: 413 });
  await site.app.visitor().post('/api/teams-chat', { ...JANE, message: 'Is anybody there?' });
  const colleague = await site.app.staff();
  const first = async () => {
    const { deliveries } = (await colleague.get('/api/admin/outbox')).json;
    return [deliveries[0].channel, deliveries[1].id, deliveries[2].id];
  };
  await eventually(async () => expect(await first()).toEqual(['teams', 201, 200]));
  const dismiss = (id: number) => colleague.post(`/api/admin/outbox/${id}/dismiss`);
  expect((await dismiss(201)).json).toMatchObject({ id: 201, state: 'failed' });
  expect(await first()).toEqual(['teams', 200, 199]);
  expect((await dismiss(201)).status).toBe(404);
});
