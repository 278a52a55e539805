/** Mail reaches people through Postfix, with TLS and with refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { SAMPLE_MESSAGE } from '../support/call-row.ts';
import { eventually } from '../support/eventually.ts';
import { DESK } from '../support/mailbox.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { insertSubmission } from '../support/staff-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { saveDeliveries } from '../support/test-outbox.ts';
import { Visitor } from '../support/visitor.ts';
import { hasPostfix, startPostfix } from './postfix.ts';

const MAILS = 1000;
/** As Google, Exchange and Postfix answer. */
const MINDS = [
  '550 5.4.5 Daily user sending limit exceeded',
  '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException',
  '550 5.7.705 Access denied, tenant has exceeded threshold',
  '554 5.7.1 Relay access denied',
  '550 5.7.1 Your account has been blocked',
  '452 4.3.1 Insufficient system storage',
];

describe.runIf(hasPostfix())('with Postfix as the mail server', () => {
  let postfix: Awaited<ReturnType<typeof startPostfix>>;
  let site: RunningProcess;
  const dataDir = temporaryFolder();
  const startSite = (other = {}) =>
    startServer({ DATA_DIR: temporaryFolder(), ...postfix.variables, ...other });
  beforeAll(async () => {
    postfix = await startPostfix();
    site = await startSite({ DATA_DIR: dataDir });
  });
  afterAll(async () => {
    await site?.stop();
    postfix?.stop();
  });

  const write = (email: string, message = SAMPLE_MESSAGE.message, { address } = site) =>
    new Visitor(address).post('/api/contact', { ...SAMPLE_MESSAGE, email, message });
  test('staff and the sender get their mail through STARTTLS, whatever ends the typed lines', async () => {
    const message = 'Our phones drop calls.\n.\n..\rAll of them.\u2028Since nine.\r\n\r\nThanks';
    expect((await write('ann@dealer.example', message)).status).toBe(200);
    await eventually(async () => expect(await postfix.received(DESK)).toHaveLength(1));
    const [mail] = await postfix.received(DESK);
    expect(mail?.text).toContain(
      '> Our phones drop calls.\n> .\n> ..\n> All of them.\n> Since nine.\n> \n> Thanks\n',
    );
    await eventually(async () =>
      expect(await postfix.received('ann@dealer.example')).toHaveLength(1),
    );
  });

  test('a bare line feed is refused by this server, so no mail of the site has one', async () => {
    const start =
      'EHLO x\r\nMAIL FROM:<a@dealer.example>\r\nRCPT TO:<b@dealer.example>\r\nDATA\r\n';
    const said = await postfix.converse(`${start}Subject: x\n\nx\r\n.\r\nQUIT\r\n`);
    expect(said).toMatch(/^550 5\.5\.2 .*bare <LF>/m);
  });

  test('mail reaches a server that speaks TLS from the start', async () => {
    const other = await startSite({ SMTP_URL: postfix.tlsUrl });
    await write('tls@dealer.example', 'Hello there, can you help?', other);
    await eventually(async () =>
      expect(await postfix.received('tls@dealer.example')).toHaveLength(1),
    );
    await other.stop();
  });

  test('a relay that changes its mind six times about a thousand mails loses none and gets none twice', async () => {
    const database = await openDatabase(readEnv({ DATA_DIR: dataDir }), { alongsideServer: true });
    const before = (await postfix.received(DESK)).length;
    const now = Date.now();
    for (let at = 0; at < MAILS; at += 1) {
      const subjectId = await insertSubmission({ database }, { createdAt: now });
      const row = { subjectId, topic: `thread ${subjectId}`, createdAt: now, nextTryAt: now };
      await saveDeliveries(database.db, [
        { ...row, kind: 'contact-received', channel: 'mail-staff' },
      ]);
    }
    const received = async () => (await postfix.received(DESK)).slice(before);
    for (const mind of MINDS) {
      postfix.setAccess(`tidewell.example ${mind}`);
      await eventually(async () => {
        const waiting = database.db
          .selectFrom('outbox')
          .select('id')
          .where('state', '=', 'waiting');
        const refused = await waiting
          .where('lastAnswer', 'like', `%${mind.slice(0, 9)}%`)
          .execute();
        expect(refused.length).toBeGreaterThan(0);
      });
      const known = (await received()).length;
      postfix.setAccess('tidewell.example OK');
      await eventually(async () => expect((await received()).length).toBeGreaterThan(known + 20));
    }
    const settled = () =>
      database.db.selectFrom('outbox').select('state').where('createdAt', '=', now).execute();
    await expect
      .poll(async () => (await settled()).filter(({ state }) => state === 'accepted').length, {
        timeout: 300_000,
      })
      .toBe(MAILS);
    await expect.poll(async () => (await received()).length, { timeout: 60_000 }).toBe(MAILS);
    expect(new Set((await received()).map(({ messageId }) => messageId)).size).toBe(MAILS);
    await database.close();
  }, 900_000);
});
