/** Sends email by SMTP. Connections are encrypted except to this machine. */
import { createTransport, type SendMailOptions } from 'nodemailer';
import { reason } from '../platform/config/cannot-start.server.ts';
import { isLoopback } from '../platform/config/env-fields.server.ts';
import { NOT_CONNECTED } from './http-answer.server.ts';
import type { MailOutcome } from './notification.server.ts';

/** Up to the greeting and TLS: Postfix's postscreen and slow name servers take seconds. */
const CONNECT_MS = 30_000;
/**
 * A filter may read the email for as long before its server answers, which delivers it even if we
 * are gone by then.
 */
const DEADLINE_MS = 60_000;

/** `name`: what we greet by. Relays refuse the library's own, an address of this machine. */
export function openSmtp(smtpUrl: string, name: string) {
  const { hostname, protocol, username } = new URL(smtpUrl);
  // With `smtp:`, the server must offer STARTTLS unless it is this machine.
  const local = isLoopback(hostname);
  const outcomeOf = (error: unknown) => outcomeBy(protocol, error);
  const options = {
    url: smtpUrl,
    name,
    requireTLS: !local,
    ignoreTLS: local,
    pool: true,
    maxConnections: 1,
    // The outbox retries; the pool must not retry on its own.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    socketTimeout: DEADLINE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  const transport = createTransport(options);
  return {
    paceMs: 0,
    deadlineMs: DEADLINE_MS,
    /** Whether the server accepts the connection, and the password, which it may not ask for. */
    async verify(): Promise<MailOutcome> {
      const strict = createTransport({ ...options, forceAuth: username !== '' });
      try {
        await strict.verify();
        return { kind: 'accepted', answer: 'the mail server lets us in' };
      } catch (error) {
        return outcomeOf(error);
      } finally {
        strict.close();
      }
    },
    async send(email: SendMailOptions, signal: AbortSignal): Promise<MailOutcome> {
      try {
        const { response } = await transport.sendMail({ ...email, signal });
        return { kind: 'accepted', answer: `accepted (${response})` };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/** The server is shutting down; the answer is not about this email. */
const SERVICE_NOT_AVAILABLE = 421;
/** What an operator must fix, by protocol, error code and message. */
const CURES: readonly (readonly [RegExp, string])[] = [
  [
    // Microsoft 365's codes where SMTP takes no passwords, and for a wrong password.
    /\b5\.7\.(139|30)\b/,
    'Microsoft 365 takes no password by SMTP any more, or not this one. Set GRAPH_TENANT_ID, GRAPH_CLIENT_ID and' +
      ' GRAPH_CLIENT_SECRET instead of SMTP_URL; docs/operations.md has the steps.',
  ],
  [
    /^smtp: GREETING_TIMEOUT/,
    'The server says nothing: if it speaks TLS from the start, as on port 465, begin SMTP_URL with smtps://.',
  ],
  [
    /^smtps: .*wrong version number/i,
    'The server does not speak TLS from the start: begin SMTP_URL with smtp://.',
  ],
  [
    / EPROTOCOL (\* |\+)OK\b/,
    'SMTP_URL has a port for reading mail. The one for sending is often 465 with smtps://, or 587 with smtp://.',
  ],
  [
    / ESOCKET (self-signed certificate|unable to (get|verify))/,
    'This machine does not know who issued the certificate of the server: name its file in NODE_EXTRA_CA_CERTS.',
  ],
  [
    / ESOCKET certificate has expired/,
    'The certificate of the server has expired: it must be renewed there.',
  ],
  [
    / ESOCKET .*does not match certificate's altnames/,
    'Name the server in SMTP_URL as its certificate does.',
  ],
  [
    /^smtp: ETLS 5/,
    'The server offers no encryption by STARTTLS: write smtps:// and its port for TLS, often 465, in SMTP_URL.',
  ],
  [
    / 53[08] .*STARTTLS/,
    'The server wants encryption, and smtp:// to this machine has none: begin SMTP_URL with smtps://.',
  ],
  [
    / EAUTH 5(0\d|23|38)/,
    'The server takes no password here: many take none without encryption, which smtp:// to this machine has not. Begin SMTP_URL with smtps://, or leave user and password out of it.',
  ],
  [/ EAUTH 5/, 'The server refuses the sign-in: see user and password in SMTP_URL.'],
];

/** Codes of RFC 3463 about the recipient's address and about the size, and of their mailbox. */
const ABOUT_EMAIL = /^\d{3}[ -][45]\.(1\.(?!([078]|90)\b)|2\.3\b|3\.4\b)/;
const ABOUT_MAILBOX = /^\d{3}[ -][45]\.2\.[12]\b/;
/**
 * Answers about the account that sends, as Exchange, Google, Postfix, Exim, qmail, Amazon SES,
 * SendGrid, Mailgun, Postmark, Brevo, Zoho and cPanel give them: limits, a blocked account or
 * address of the network, no right to relay or to send as MAIL_FROM, our domain's records, and 4.3
 * and 4.4, the server itself. Exchange's 5.7.703 is about a recipient whom the organization blocks.
 */
const ABOUT_ACCOUNT = [
  /^\d{3}[ -](4\.[34]\.\d|[45]\.2\.0|5\.4\.5|5\.1\.[78]|5\.2\.252|[45]\.7\.((?!703)[5-7]\d\d|2\d\d?|60|64))\b/,
  /\brelay|authenticat|smtp auth|rcpthosts|SubmissionQuota|reputation|spamhaus|\b(black|block) ?list/i,
  /\b(quota|limit|allowance|rate|credits)\b.*\b(exceed|reach)|\b(exceed|reach|over)\w*\b.*\b(quota|limit|allowance|per hour)\b/i,
  /\b(account|sender|user|host|ip|network|trial|credits)\b.*\b((block|suspend|disable|lock|deactivate)(ed|d)|on hold|ended|expired|exhausted)\b/i,
  /\b(sender( address)?|client host|helo command) rejected\b|\bsender verify\b|\bverify sender\b/i,
  // Postfix to who has not signed in; Exchange's own servers.
  /^554 5\.7\.1 .*\brecipient address rejected: access denied\b|\bpermissions? to send as\b/i,
  /\b(from|sender|address|domain|account|ip)\b.*\b(does not match|not (allowed|authori[sz]ed|verified|a sender|one of your))\b|\bnot (allowed|authori[sz]ed|permitted) to (send|perform)\b/i,
  /\byour (own email|account|mailbox|ip|domain|network|smtp)\b|\btoo (many (messages|emails|recipients from)|much mail)\b/i,
  /\b(spf|dkim|dmarc|ptr|unverified|unauthorized ip|unconfigured|sandbox)\b/i,
  /\bsending (paused|suspended|disabled)\b|\bunusual sending activity\b/i,
];
/** RFC 5321's 'exceeded storage allocation' is the account's, unless it speaks of the content. */
const NO_STORAGE = /^[45]52[ -](?!\d\.7\.)/;
const ABOUT_CONTENT = /\b(size|too (large|big)|attachments?|hops?|(an?|of|blacklisted) url)\b/i;

function isAboutAccount(response: string, command: unknown): boolean {
  if (ABOUT_EMAIL.test(response) || ABOUT_CONTENT.test(response)) return false;
  if (command === 'RCPT TO' && ABOUT_MAILBOX.test(response)) return false;
  return [...ABOUT_ACCOUNT, NO_STORAGE].some((pattern) => pattern.test(response));
}

function outcomeBy(protocol: string, error: unknown): MailOutcome {
  const fault: Record<string, unknown> = { ...Object(error) };
  const { code, responseCode = 0, response } = fault;
  const name = typeof code === 'string' ? code : error instanceof Error ? error.name : 'failed';
  // Of several addresses of a name, each has failed for a reason of its own.
  const [cause] = error instanceof AggregateError ? error.errors : [error];
  const words = typeof response === 'string' ? response : reason(cause);
  const answer = `not sent (${words})`;
  const [, cure] =
    CURES.find(([wrong]) => wrong.test(`${protocol} ${fault.timeoutType ?? name} ${words}`)) ?? [];
  if (cure)
    return { kind: 'unavailable', answer: `${cure} ${answer}`, about: 'all', isLasting: true };
  const isRefusal = Number(responseCode) >= 500;
  // A wrong sender is not about this email and can be fixed.
  if (isBeforeEmail(fault))
    return { kind: 'unavailable', answer, about: 'all', isLasting: isRefusal };
  const aboutEmail = (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) > 0;
  if (!aboutEmail) return { kind: 'unavailable', answer, about: 'unknown' };
  if (responseCode === SERVICE_NOT_AVAILABLE || isAboutAccount(words, fault.command))
    return { kind: 'unavailable', answer, about: 'likely-all' };
  return { kind: isRefusal ? 'refused' : 'retry', answer };
}

/** Whether the email was not yet spoken of, so that every other would have fared the same. */
function isBeforeEmail(fault: Record<string, unknown>): boolean {
  const { code, originalCode, timeoutType, command } = fault;
  return (
    ['EAUTH', 'EDNS', 'EPROTOCOL', 'ETLS'].includes(String(code)) ||
    /^(CONNECT|GREETING|UPGRADE)_TIMEOUT$/.test(String(timeoutType)) ||
    NOT_CONNECTED.test(String(originalCode)) ||
    /^(EHLO|HELO|STARTTLS|MAIL FROM)$/.test(String(command))
  );
}
