/**
 * Sends emails by SMTP. Connections are encrypted except to this machine, and control characters are removed from headers,
 * so that a visitor's text cannot add one.
 */
import { createTransport } from 'nodemailer';
import type { Env } from '../platform/config/env.server.ts';
import { isLoopback } from '../platform/config/env-fields.server.ts';
import type { DeliveryOutcome, Email } from './notification.server.ts';

const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
/** Bounds a server that trickles its answer: SILENCE_MS never runs out while bytes arrive. */
export const MAIL_DEADLINE_MS = 20_000;

export type MailEnv = NonNullable<Env['mail']>;

interface SentEmail extends Pick<Email, 'to' | 'replyTo' | 'subject' | 'isAutomatic'> {
  text: string;
  html?: string;
  /** The local part of the Message-ID. */
  key: string;
  /** In milliseconds. */
  date: number;
}

/** Tells out-of-office programs not to answer. */
const NO_AUTOMATIC_ANSWER = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
};

export function openMail(mail: MailEnv) {
  // With `smtp:`, the server must offer STARTTLS unless it is this machine.
  const local = isLoopback(new URL(mail.smtpUrl).hostname);
  const transport = createTransport({
    url: mail.smtpUrl,
    requireTLS: !local,
    ignoreTLS: local,
    pool: true,
    maxConnections: 1,
    // The outbox retries; the pool must not retry on its own.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = senderDomain(mail);

  return {
    /** Returns why the server refuses the connection; undefined if it accepts. */
    async verify(): Promise<string | undefined> {
      try {
        await transport.verify();
        return undefined;
      } catch (error) {
        return outcomeOf(error, mail.to.address).answer;
      }
    },
    async send(email: SentEmail, signal: AbortSignal): Promise<DeliveryOutcome> {
      const { to, replyTo, text, html } = email;
      try {
        const { response } = await transport.sendMail({
          from: mail.from,
          to,
          replyTo: { name: oneLine(replyTo.name), address: oneLine(replyTo.address) },
          subject: oneLine(email.subject),
          text,
          html,
          messageId: `<${email.key}@${domain}>`,
          date: new Date(email.date),
          headers: email.isAutomatic ? NO_AUTOMATIC_ANSWER : {},
          signal,
        });
        return { kind: 'accepted', answer: `accepted (${withoutAddress(response, to)})` };
      } catch (error) {
        return outcomeOf(error, to);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

export function senderDomain({ from: { address } }: MailEnv): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Replaces control characters: a line break would end the header and start another. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 300);
}

/** Mail servers quote the address in any case; stored answers must not contain it once a person is erased. */
function withoutAddress(answer: string, address: string): string {
  return oneLine(answer.replace(new RegExp(RegExp.escape(address), 'giu'), 'the address'));
}

/** The server is shutting down; the answer is not about this email. */
const SERVICE_NOT_AVAILABLE = 421;

function outcomeOf(error: unknown, to: string): Exclude<DeliveryOutcome, { kind: 'gone' }> {
  const { code, responseCode = 0, response }: Record<string, unknown> = { ...Object(error) };
  const name = typeof code === 'string' ? code : error instanceof Error ? error.name : 'failed';
  const reason = typeof response === 'string' ? `: ${withoutAddress(response, to)}` : '';
  const answer = `not sent (${name}${reason})`;
  // Anything else, such as a wrong password, is not about this email and can be fixed.
  const aboutEmail = (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) > 0;
  if (!aboutEmail || responseCode === SERVICE_NOT_AVAILABLE) return { kind: 'unavailable', answer };
  return { kind: Number(responseCode) >= 500 ? 'refused' : 'retry', answer };
}
