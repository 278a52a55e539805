/** Postfix, as a provider's own mail server would be: with TLS and with refusals. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import PostalMime from 'postal-mime';
import { expect } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { DESK } from '../support/mailbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Reaches this machine but is not a loopback address, for which the site would not ask for TLS. */
const HOST = '0.0.0.0';

/** Its services share a folder of the user 'postfix', and are started by root. */
export const hasPostfix = () =>
  process.getuid?.() === 0 && !spawnSync('postconf', ['-d', 'mail_version']).error;

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
# A connection keeps the access that it began with.
smtpd_timeout = 1s
virtual_mailbox_domains = tidewell.example, dealer.example
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = static:box/
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
virtual_minimum_uid = 1
smtpd_tls_chain_files = ${certificate}
smtpd_tls_security_level = encrypt
smtpd_forbid_bare_newline = reject
alias_maps =
smtpd_delay_reject = no
smtpd_helo_required = yes
smtpd_helo_restrictions = reject_non_fqdn_helo_hostname, check_helo_access regexp:${folder}/helo
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

/** Google's relay refuses what libraries greet by. */
const RELAY = '/^\\[/ 550 5.7.0 Mail relay denied\n';

/** Takes mail for two domains, and refuses any other. */
export async function startPostfix({ refuses = RELAY } = {}) {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const certificate = makeCertificate(`IP:${HOST}`).file;
  const [port, tlsPort] = await Promise.all([freePort(), freePort()]);
  for (const name of ['queue', 'data', 'mail']) mkdirSync(join(folder, name));
  chownSync(join(folder, 'mail'), 65534, 65534);
  spawnSync('chown', ['postfix', join(folder, 'data')]);
  writeFileSync(join(folder, 'main.cf'), config(folder, certificate));
  writeFileSync(join(folder, 'master.cf'), services(port, tlsPort));
  writeFileSync(join(folder, 'helo'), refuses);
  const setAccess = (line: string) => writeFileSync(join(folder, 'access'), `${line}\n`);
  setAccess('');
  spawn('postfix', ['-c', folder, 'start-fg'], { stdio: 'ignore' });
  /** Sends the lines at once and returns everything that the server says. */
  const converse = (lines: string) => {
    const socket = connect({ port: tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    socket.write(lines);
    return text(socket);
  };
  await eventually(async () => expect(await converse('QUIT\r\n')).toMatch(/^220 /));
  return {
    /** What a site needs that sends by it. */
    variables: {
      SMTP_URL: `smtp://${HOST}:${port}`,
      MAIL_FROM: 'Tidewell <web@tidewell.example>',
      MAIL_TO: DESK,
      NODE_EXTRA_CA_CERTS: certificate,
    },
    /** For TLS from the start. */
    tlsUrl: `smtps://${HOST}:${tlsPort}`,
    setAccess,
    converse,
    async received(recipient: string) {
      const box = join(folder, 'mail/box/new');
      const files = readdirSync(join(folder, 'mail')).length > 0 ? readdirSync(box) : [];
      const mails = files.map((file) => PostalMime.parse(readFileSync(join(box, file))));
      return (await Promise.all(mails)).filter(({ to }) => to?.[0]?.address === recipient);
    },
    // Of the script in the foreground the signal would not reach the server.
    stop: () => spawnSync('postfix', ['-c', folder, 'stop']),
  };
}
