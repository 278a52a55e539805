/** Sends emails by SMTP: pooled, encrypted everywhere but on this machine, with nothing of a visitor's in a header unguarded. */
import { createTransport } from 'nodemailer';
import type { Env } from '../platform/config/env.server.ts';
import { isLoopback } from '../platform/http/loopback.server.ts';
import { customerEmail, emailHtml, emailText, staffEmail } from './email.server.ts';
import type { Channel, Email, Notification, Outcome, Writer } from './notification.server.ts';

const AT_ONCE = 2;
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
/** For a server that trickles its answers, which no timeout of silence notices. */
const DEADLINE_MS = 20_000;

export type MailEnv = NonNullable<Env['mail']>;

interface Addressed {
  to: string;
  email: Email;
}

/** One for staff and one for customers: each is delivered, retried and given up by itself. */
export function mailChannels(mail: MailEnv, writer: Writer): Channel[] {
  return [
    mailChannel('mail-staff', mail, async ({ kind, subject }) => ({
      to: mail.to,
      email: staffEmail(kind.staffMessage(subject, writer), writer),
    })),
    mailChannel('mail-customer', mail, async ({ kind, subject }, at) => {
      if (!kind.customerEmail) throw new Error(`customers get no email about ${kind.kind}`);
      const words = await kind.customerEmail(subject, at, writer);
      return words && { to: words.to, email: customerEmail(words, writer.company) };
    }),
  ];
}

function mailChannel(
  name: Channel['name'],
  mail: MailEnv,
  write: (notification: Notification, at: number) => Promise<Addressed | undefined>,
): Channel {
  const post = openMail(mail);
  return {
    name,
    atOnce: AT_ONCE,
    paceMs: null,
    deadlineMs: DEADLINE_MS,
    async deliver({ id, createdAt }, notification, stop) {
      // The same for each try, so that an email that came twice is recognised as one.
      const key = `outbox-${id}-${createdAt.toString(36)}`;
      const addressed = await write(notification, createdAt);
      if (!addressed) return { kind: 'gone' };
      return post.send(addressed, { key, date: createdAt }, stop);
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
      { to, email }: Addressed,
      { key, date }: { key: string; date: number },
      stop: AbortSignal,
    ): Promise<Outcome> {
      const { name, address } = email.replyTo;
      try {
        const { response } = await transport.sendMail({
          from: mail.from,
          to,
          replyTo: { name: oneLine(name), address: oneLine(address) },
          subject: oneLine(email.subject),
          text: emailText(email),
          html: emailHtml(email),
          messageId: `<${key}@${domain}>`,
          date: new Date(date),
          // Asks out-of-office programs not to answer.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: AbortSignal.any([stop, AbortSignal.timeout(DEADLINE_MS)]),
        });
        return { kind: 'accepted', answer: `accepted (${withoutAddress(response, to)})` };
      } catch (error) {
        return refusal(error, to);
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

/** Mail servers quote the address, which an erased person's deliveries must not keep. */
function withoutAddress(answer: string, address: string): string {
  const known = [address, address.toLowerCase()];
  return oneLine(known.reduce((text, each) => text.replaceAll(each, 'the address'), answer));
}

function refusal(error: unknown, to: string): Outcome {
  const { code, responseCode, response } = readMailError(error);
  const said = response === undefined ? '' : `: ${withoutAddress(response, to)}`;
  // The email or its address is refused for good; a wrong password or missing encryption can be mended.
  const aboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const final = aboutEmail && responseCode !== undefined && responseCode >= 500;
  return { kind: 'failed', answer: `not sent (${code}${said})`, final };
}

function readMailError(error: unknown): { code: string; responseCode?: number; response?: string } {
  if (!(error instanceof Error)) return { code: String(error) };
  const { code, responseCode, response }: Record<string, unknown> = { ...error };
  return {
    code: typeof code === 'string' ? code : error.name,
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(typeof response === 'string' ? { response } : {}),
  };
}
