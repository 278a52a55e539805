/** Staff see what was not accepted, send it again, and put away what nobody needs any more. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { FakeTeams, SECRET } from '../../support/fake-teams.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const JANE = { name: 'Jane Doe', email: 'jane@dealer.example' };

let teams: FakeTeams;
let mailbox: Mailbox;
let app: TestApp;
beforeEach(async () => {
  teams = await FakeTeams.start();
  mailbox = await Mailbox.start();
  app = await startTestApp({ ...teams.variables, ...mailbox.variables });
});
afterEach(async () => {
  await app.stop();
  await teams.stop();
  await mailbox.stop();
});

const deliveries = () => app.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();

async function allAccepted(): Promise<void> {
  await eventually(async () => {
    const open = (await deliveries()).filter(({ state }) => state !== 'accepted');
    expect(open).toEqual([]);
  });
}

describe('a site with Teams and mail', () => {
  test('shows staff what was not accepted, and sends it again at the press of a button', async () => {
    teams.behaviour = () => ({ status: 400 });
    mailbox.behaviour = () => 451;
    const { json } = await app
      .visitor()
      .post('/api/contact', { ...JANE, message: 'Our phones are down.' });
    const colleague = await app.staff();
    await eventually(async () => {
      const { json: list } = await colleague.get('/api/admin/outbox');
      expect(list).toMatchObject({ waiting: 2, setAside: 1 });
      expect(
        list.deliveries.map(({ lastAnswer }: { lastAnswer: string }) => lastAnswer),
      ).not.toContain(null);
    });
    const { json: list, text } = await colleague.get('/api/admin/outbox');
    expect(list.deliveries[0]).toMatchObject({
      channel: 'teams',
      kind: 'contact-received',
      reference: json.reference,
      state: 'set aside',
      tries: 1,
      nextTryAt: null,
      lastAnswer: 'refused (400)',
    });
    expect(text).not.toContain(SECRET);

    teams.behaviour = () => 'accept';
    // The mail server takes nothing yet: an email that goes out by itself first could not be sent again.
    for (const { id } of list.deliveries) {
      // Nor can one that is being tried by itself at this moment.
      await eventually(async () => {
        const { status, json: sent } = await colleague.post(`/api/admin/outbox/${id}/resend`);
        expect([status, sent.state]).toEqual([200, 'waiting']);
      });
    }
    mailbox.behaviour = () => 'accept';
    await allAccepted();
    expect([teams.accepted.length, mailbox.mails.length]).toEqual([1, 2]);
    expect((await colleague.get('/api/admin/outbox')).json).toEqual({
      deliveries: [],
      waiting: 0,
      setAside: 0,
    });
    const again = await colleague.post(`/api/admin/outbox/${list.deliveries[0].id}/resend`);
    expect(again.status).toBe(409);
    expect((await colleague.post('/api/admin/outbox/999/resend')).status).toBe(404);
    expect((await colleague.post('/api/admin/outbox/x/resend')).status).toBe(404);
  });

  test('shows a new lead before any number of emails that customers refuse, and dismisses these', async () => {
    const refused = {
      topic: 'x',
      kind: 'contact-received',
      subjectId: 1,
      state: 'set aside',
      nextTryAt: 0,
      createdAt: 0,
      settledAt: Date.now(),
    } as const;
    const rows = Array.from(
      { length: 201 },
      () => ({ ...refused, channel: 'mail-customer' }) as const,
    );
    await app.database.db.insertInto('outbox').values(rows).execute();
    teams.behaviour = () => ({ status: 400 });
    await app.visitor().post('/api/teams-chat', { ...JANE, message: 'Is anybody there?' });
    const colleague = await app.staff();
    const first = async () => {
      const { deliveries: listed } = (await colleague.get('/api/admin/outbox')).json;
      return [listed[0].channel, listed[1].id, listed[2].id];
    };
    await eventually(async () => expect(await first()).toEqual(['teams', 201, 200]));
    const dismiss = (id: number | string) => colleague.post(`/api/admin/outbox/${id}/dismiss`);
    expect(await dismiss(201)).toMatchObject({
      status: 200,
      json: { id: 201, state: 'set aside' },
    });
    expect(await first()).toEqual(['teams', 200, 199]);
    expect((await dismiss(201)).status).toBe(404);
    expect((await dismiss('x')).status).toBe(404);
  });

  test('dismisses nothing that is still to be delivered', async () => {
    teams.behaviour = () => ({ status: 500 });
    await app.visitor().post('/api/teams-chat', { ...JANE, message: 'Is anybody there?' });
    const [waiting] = await deliveries();
    const colleague = await app.staff();
    expect((await colleague.post(`/api/admin/outbox/${waiting?.id}/dismiss`)).status).toBe(409);
    expect((await deliveries()).map(({ id }) => id)).toContain(waiting?.id);
  });

  test('shows the outbox to staff only', async () => {
    expect((await app.visitor().get('/api/admin/outbox')).status).toBe(401);
    expect((await app.visitor().post('/api/admin/outbox/1/resend')).status).toBe(401);
    expect((await app.visitor().post('/api/admin/outbox/1/dismiss')).status).toBe(401);
  });
});
