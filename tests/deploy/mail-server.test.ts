/** Mail reaches people through Postfix, with TLS and with refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../support/call-row.ts';
import { eventually } from '../support/eventually.ts';
import { DESK } from '../support/mailbox.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { hasPostfix, startPostfix } from './postfix.ts';

describe.runIf(hasPostfix())('with Postfix as the mail server', () => {
  let postfix: Awaited<ReturnType<typeof startPostfix>>;
  let site: RunningProcess;
  const startSite = (other = {}) =>
    startServer({ DATA_DIR: temporaryFolder(), ...postfix.variables, ...other });
  beforeAll(async () => {
    postfix = await startPostfix();
    site = await startSite();
  });
  afterAll(async () => {
    await site?.stop();
    postfix?.stop();
  });

  const write = (email: string, message = SAMPLE_MESSAGE.message, { address } = site) =>
    new Visitor(address).post('/api/contact', { ...SAMPLE_MESSAGE, email, message });
  async function deliveryOf(reference: string) {
    const staff = await signedIn(site.address);
    const { deliveries } = (await staff.get('/api/admin/outbox')).json;
    return deliveries.find((each: { reference: string }) => each.reference === reference);
  }

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

  test('an address that the relay refuses fails at once, and staff read why', async () => {
    const { reference } = (await write('ann@elsewhere.example')).json;
    await eventually(async () =>
      expect(await deliveryOf(reference)).toMatchObject({
        state: 'failed',
        tries: 1,
        lastAnswer: expect.stringMatching(/554 5\.7\.1 .*Relay access denied/),
      }),
    );
  });

  test('an address that is greylisted gets its mail once the server takes it', async () => {
    const { reference } = (await write('ann@grey.example')).json;
    const lastAnswer = expect.stringContaining('450 4.7.1');
    await eventually(async () =>
      expect(await deliveryOf(reference)).toMatchObject({ state: 'waiting', lastAnswer }),
    );
    postfix.setAccess('grey.example OK');
    await eventually(async () =>
      expect(await postfix.received('ann@grey.example')).toHaveLength(1),
    );
  });
});
