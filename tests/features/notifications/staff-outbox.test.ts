/** Staff see what was not accepted, send it again, and put away what nobody needs any more. */
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { SECRET } from '../../support/fake-teams.ts';
import { notifiedSite } from '../../support/notified-site.ts';

const JANE = { name: 'Jane Doe', email: 'jane@dealer.example' };

const site = notifiedSite();
const chat = () =>
  site.app.visitor().post('/api/teams-chat', { ...JANE, message: 'Is anybody there?' });

test('staff see what was not accepted, and send it again at the press of a button', async () => {
  const { app, teams, mailbox } = site;
  teams.behaviour = () => ({ status: 400 });
  mailbox.behaviour = () => 451;
  const message = { ...JANE, message: 'Our phones are down.' };
  const { reference } = (await app.visitor().post('/api/contact', message)).json;
  const colleague = await app.staff();
  const list = await eventually(async () => {
    const answered = await colleague.get('/api/admin/outbox');
    expect(answered.json).toMatchObject({ waiting: 2, setAside: 1 });
    for (const { lastAnswer } of answered.json.deliveries) expect(lastAnswer).not.toBe(null);
    return answered;
  });
  const { deliveries } = list.json;
  expect(deliveries[0]).toMatchObject({
    ...{ channel: 'teams', kind: 'contact-received', reference, state: 'set aside', tries: 1 },
    ...{ nextTryAt: null, lastAnswer: 'refused (400)' },
  });
  expect(list.text).not.toContain(SECRET);

  teams.behaviour = () => 'accept';
  // The mail server takes nothing yet: an email that goes out by itself first could not be sent again.
  for (const { id } of deliveries) {
    // Nor can one that is being tried by itself at this moment.
    await eventually(async () => {
      const { status, json } = await colleague.post(`/api/admin/outbox/${id}/resend`);
      expect([status, json.state]).toEqual([200, 'waiting']);
    });
  }
  mailbox.behaviour = () => 'accept';
  await site.allAccepted();
  expect([teams.accepted.length, mailbox.mails.length]).toEqual([1, 2]);
  const left = await colleague.get('/api/admin/outbox');
  expect(left.json).toEqual({ deliveries: [], waiting: 0, setAside: 0 });
  const resend = async (id: number | string) =>
    (await colleague.post(`/api/admin/outbox/${id}/resend`)).status;
  expect([await resend(deliveries[0].id), await resend(999), await resend('x')]).toEqual([
    409, 404, 404,
  ]);
});

test('a new lead stands before any number of emails that customers refuse, and staff dismiss these', async () => {
  const refused = {
    ...{ channel: 'mail-customer', topic: 'x', kind: 'contact-received', subjectId: 1 },
    ...{ state: 'set aside', nextTryAt: 0, createdAt: 0, settledAt: Date.now() },
  } as const;
  const { db } = site.app.database;
  await db.insertInto('outbox').values(Array(201).fill(refused)).execute();
  site.teams.behaviour = () => ({ status: 400 });
  await chat();
  const colleague = await site.app.staff();
  const first = async () => {
    const { deliveries } = (await colleague.get('/api/admin/outbox')).json;
    return [deliveries[0].channel, deliveries[1].id, deliveries[2].id];
  };
  await eventually(async () => expect(await first()).toEqual(['teams', 201, 200]));
  const dismiss = (id: number) => colleague.post(`/api/admin/outbox/${id}/dismiss`);
  expect((await dismiss(201)).json).toMatchObject({ id: 201, state: 'set aside' });
  expect(await first()).toEqual(['teams', 200, 199]);
  expect((await dismiss(201)).status).toBe(404);
});

test('nothing that is still to be delivered is dismissed', async () => {
  site.teams.behaviour = () => ({ status: 500 });
  await chat();
  const [waiting] = await site.deliveries();
  const colleague = await site.app.staff();
  expect((await colleague.post(`/api/admin/outbox/${waiting?.id}/dismiss`)).status).toBe(409);
  expect((await site.deliveries()).map(({ id }) => id)).toContain(waiting?.id);
});

test('what is being delivered at this moment is not sent a second time by staff', async () => {
  const { db } = site.app.database;
  const claimed = { claimedBy: 'a worker', nextTryAt: Date.now() + 60_000 };
  const row = { channel: 'teams', topic: 'claimed', kind: 'chat-received', subjectId: 1 } as const;
  const { id } = await db
    .insertInto('outbox')
    .values({ ...row, ...claimed, state: 'waiting', createdAt: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const colleague = await site.app.staff();
  expect((await colleague.post(`/api/admin/outbox/${id}/resend`)).status).toBe(409);
  await db.deleteFrom('outbox').where('id', '=', id).execute();
});
