/** Mail reaches people through Postfix, as a provider's own mail server would be set up: with TLS and with refusals. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../support/call-row.ts';
import { makeCertificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

/** Reaches this machine but is not a loopback address, for which the site would not ask for TLS. */
const HOST = '0.0.0.0';
const DESK = 'desk@tidewell.example';

/** Its services share a folder of the user 'postfix', and are started by root. */
const canRun = process.getuid?.() === 0 && !spawnSync('postconf', ['-d', 'mail_version']).error;

const config = (folder: string, certificate: string) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = all
inet_protocols = ipv4
myhostname = mail.tidewell.example
mydestination =
mynetworks =
max_use = 1
virtual_mailbox_domains = tidewell.example, dealer.example, grey.example
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = static:box/
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
virtual_minimum_uid = 1
smtpd_tls_chain_files = ${certificate}
smtpd_tls_security_level = encrypt
smtpd_forbid_bare_newline = reject
alias_maps =
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access texthash:${folder}/access
`;

/** Name, type and program of each service that a server with mailboxes needs. */
const services = (port: number, tlsPort: number) =>
  [
    `${port} inet n - n - - smtpd`,
    `${tlsPort} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes`,
    'cleanup unix n - n - 0 cleanup',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'qmgr unix n - n 300 1 qmgr',
    'virtual unix - n n - - virtual',
    'error unix - - n - - error',
    'proxymap unix - - n - - proxymap',
    'anvil unix - - n - 1 anvil',
    'tlsmgr unix - - n - 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');

describe.runIf(canRun)('with Postfix as the mail server', () => {
  let folder: string;
  let certificate: string;
  let port: number;
  let tlsPort: number;
  let site: RunningProcess;
  const startSite = (smtpUrl: string) =>
    startServer({
      DATA_DIR: temporaryFolder(),
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'Tidewell <web@tidewell.example>',
      MAIL_TO: DESK,
      NODE_EXTRA_CA_CERTS: certificate,
    });
  const setAccess = (line: string) => writeFileSync(join(folder, 'access'), `${line}\n`);
  beforeAll(async () => {
    folder = temporaryFolder();
    chmodSync(folder, 0o755);
    certificate = makeCertificate(`IP:${HOST}`).file;
    [port, tlsPort] = await Promise.all([freePort(), freePort()]);
    for (const name of ['queue', 'data', 'mail']) mkdirSync(join(folder, name));
    chownSync(join(folder, 'mail'), 65534, 65534);
    spawnSync('chown', ['postfix', join(folder, 'data')]);
    writeFileSync(join(folder, 'main.cf'), config(folder, certificate));
    writeFileSync(join(folder, 'master.cf'), services(port, tlsPort));
    setAccess('grey.example 450 4.7.1 Greylisted, try again');
    spawn('postfix', ['-c', folder, 'start-fg'], { stdio: 'ignore' });
    await eventually(async () => expect(await converse(tlsPort, 'QUIT\r\n')).toMatch(/^220 /));
    site = await startSite(`smtp://${HOST}:${port}`);
  });
  afterAll(async () => {
    await site?.stop();
    // Of the script in the foreground the signal would not reach the server.
    spawnSync('postfix', ['-c', folder, 'stop']);
  });

  const write = (email: string, message = SAMPLE_MESSAGE.message, { address } = site) =>
    new Visitor(address).post('/api/contact', { ...SAMPLE_MESSAGE, email, message });
  async function received(recipient: string) {
    const box = join(folder, 'mail/box/new');
    const files = readdirSync(join(folder, 'mail')).length > 0 ? readdirSync(box) : [];
    const mails = files.map((file) => PostalMime.parse(readFileSync(join(box, file))));
    return (await Promise.all(mails)).filter(({ to }) => to?.[0]?.address === recipient);
  }
  async function deliveryOf(reference: string) {
    const staff = await signedIn(site.address);
    const { deliveries } = (await staff.get('/api/admin/outbox')).json;
    return deliveries.find((each: { reference: string }) => each.reference === reference);
  }

  test('staff and the sender get their mail through STARTTLS, whatever ends the typed lines', async () => {
    const message = 'Our phones drop calls.\n.\n..\rAll of them.\u2028Since nine.\r\n\r\nThanks';
    expect((await write('ann@dealer.example', message)).status).toBe(200);
    await eventually(async () => expect(await received(DESK)).toHaveLength(1));
    const [mail] = await received(DESK);
    expect(mail?.text).toContain(
      '> Our phones drop calls.\n> .\n> ..\n> All of them.\n> Since nine.\n> \n> Thanks\n',
    );
    await eventually(async () => expect(await received('ann@dealer.example')).toHaveLength(1));
  });

  test('a bare line feed is refused by this server, so no mail of the site has one', async () => {
    const start =
      'EHLO x\r\nMAIL FROM:<a@dealer.example>\r\nRCPT TO:<b@dealer.example>\r\nDATA\r\n';
    const said = await converse(tlsPort, `${start}Subject: x\n\nx\r\n.\r\nQUIT\r\n`);
    expect(said).toMatch(/^550 5\.5\.2 .*bare <LF>/m);
  });

  test('mail reaches a server that speaks TLS from the start', async () => {
    const other = await startSite(`smtps://${HOST}:${tlsPort}`);
    await write('tls@dealer.example', 'Hello there, can you help?', other);
    await eventually(async () => expect(await received('tls@dealer.example')).toHaveLength(1));
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
    setAccess('grey.example OK');
    await eventually(async () => expect(await received('ann@grey.example')).toHaveLength(1));
  });
});

/** Sends the lines at once and returns everything that the server says. */
async function converse(port: number, lines: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  socket.write(lines);
  return text(socket);
}
