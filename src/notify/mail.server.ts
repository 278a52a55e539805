/** Sends letters by SMTP: pooled, encrypted everywhere but on this machine, with nothing of a visitor's in a header unguarded. */
import { createTransport } from 'nodemailer';
import { isErased } from '../checkout/order.ts';
import type { Env } from '../platform/env.server.ts';
import { isLoopback } from '../platform/loopback.server.ts';
import type { Row } from '../platform/tables.server.ts';
import type { Channel, Outcome } from './channel.server.ts';
import { confirmationLetter, receiptLetter } from './mail/customer-letter.server.ts';
import type { Letter } from './mail/letter.server.ts';
import { letterHtml } from './mail/letter-html.server.ts';
import { letterText } from './mail/letter-text.server.ts';
import { orderLetter } from './mail/order-letter.server.ts';
import { staffLetter } from './mail/staff-letter.server.ts';
import { accountOf, type Writer } from './staff-message.server.ts';
import type { Told } from './told.server.ts';

const AT_ONCE = 2;
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
/** For a server that trickles its answers, which no timeout of silence notices. */
const DEADLINE_MS = 20_000;

export type MailEnv = NonNullable<Env['mail']>;

/** One for staff and one for customers: each is delivered, retried and given up by itself. */
export function mailChannels(mail: MailEnv, writer: Writer): Channel[] {
  return [
    mailChannel('mail-staff', mail, (_row, told) => ({
      to: mail.to,
      letter: staffLetter(accountOf(told, writer), writer),
    })),
    mailChannel('mail-customer', mail, (row, told) => customerMail(told, row.createdAt, writer)),
  ];
}

interface Addressed {
  to: string;
  letter: Letter;
}

function customerMail(told: Told, at: number, writer: Writer): Addressed {
  if (told.kind === 'contact-received') {
    return { to: told.submission.email, letter: confirmationLetter(told.submission, writer) };
  }
  if (told.kind === 'chat-received') throw new Error('visitors get no letter about their chat');
  const { kind, order } = told;
  const letter =
    kind === 'order-paid' ? receiptLetter(order, at, writer) : orderLetter(kind, order, writer);
  return { to: order.email, letter };
}

function mailChannel(
  name: Channel['name'],
  mail: MailEnv,
  write: (row: Row<'outbox'>, told: Told) => Addressed,
): Channel {
  const post = openMail(mail);
  return {
    name,
    atOnce: AT_ONCE,
    paceMs: null,
    deadlineMs: DEADLINE_MS,
    async deliver(row, told, stop) {
      // The same for each try, so that a letter that came twice is recognised as one.
      const key = `outbox-${row.id}-${row.createdAt.toString(36)}`;
      const addressed = write(row, told);
      if (isErased({ email: addressed.to })) return { kind: 'gone' };
      return post.send(addressed, { key, date: row.createdAt }, stop);
    },
    close: post.close,
  };
}

export function openMail(mail: MailEnv) {
  const transport = createTransport({
    ...connection(new URL(mail.smtpUrl)),
    pool: true,
    maxConnections: AT_ONCE,
    // Trying again is the outbox's business; the pool would do it behind its back.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const [, domain = 'localhost'] = /@([^\s>]+)>?$/.exec(mail.from) ?? [];

  return {
    /** `key` makes the Message-ID, `date` is in milliseconds. */
    async send(
      { to, letter }: Addressed,
      { key, date }: { key: string; date: number },
      stop: AbortSignal,
    ): Promise<Outcome> {
      const { name, address } = letter.replyTo;
      try {
        const { response } = await transport.sendMail({
          from: mail.from,
          to,
          replyTo: { name: oneLine(name), address: oneLine(address) },
          subject: oneLine(letter.subject),
          text: letterText(letter),
          html: letterHtml(letter),
          messageId: `<${key}@${domain}>`,
          date: new Date(date),
          // Asks out-of-office programs not to answer.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: AbortSignal.any([stop, AbortSignal.timeout(DEADLINE_MS)]),
        });
        return { kind: 'accepted', answer: `accepted (${oneLine(response)})` };
      } catch (error) {
        return refusal(error);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/** `smtps:` is encrypted from the start, `smtp:` by STARTTLS, which the server must offer unless it is this machine. */
function connection({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:';
  const here = isLoopback(hostname);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !here,
    ignoreTLS: !secure && here,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** The characters that end a header, and with which the next one would begin. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 300);
}

function refusal(error: unknown): Outcome {
  const { code, responseCode, response } = readMailError(error);
  const said = response === undefined ? '' : `: ${oneLine(response)}`;
  // The letter or its address is refused for good; a wrong password or missing encryption can be mended.
  const aboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE';
  const final = aboutLetter && responseCode !== undefined && responseCode >= 500;
  return { kind: 'failed', answer: `not sent (${code}${said})`, final };
}

function readMailError(error: unknown): { code: string; responseCode?: number; response?: string } {
  if (!(error instanceof Error)) return { code: String(error) };
  const { code, responseCode, response } = error as Error & Record<string, unknown>;
  return {
    code: typeof code === 'string' ? code : error.name,
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(typeof response === 'string' ? { response } : {}),
  };
}
