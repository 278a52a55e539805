/** Staff list undelivered notifications, resend them, and dismiss others. */
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';

const JANE = { name: 'Jane Doe', email: 'jane@dealer.example' };

const site = notifiedSite();

test('staff who resend a message do not wait until the receiver’s pause is over', async () => {
  const { app, teams } = site;
  teams.behaviour = () => ({ status: 503, headers: { 'Retry-After': '3600' } });
  await app.visitor().post('/api/teams-chat', { ...JANE, message: 'Is anybody there?' });
  const refused = { channel: 'teams', claimedBy: null, lastAnswer: 'refused (503)' };
  await eventually(async () => expect((await site.deliveries())[0]).toMatchObject(refused));
  teams.behaviour = () => 'accept';
  const colleague = await app.staff();
  const resend = async (id: number | string) =>
    (await colleague.post(`/api/admin/outbox/${id}/resend`)).status;
  expect(await resend(1)).toBe(200);
  await site.allAccepted();
  expect([await resend(1), await resend(999), await resend('x')]).toEqual([409, 404, 404]);
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
