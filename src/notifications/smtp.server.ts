/** Sends email by SMTP. Connections are encrypted except to this machine. */
import { createTransport, type SendMailOptions } from 'nodemailer';
import { reason } from '../platform/config/cannot-start.server.ts';
import { isLoopback } from '../platform/config/env-fields.server.ts';
import { NOT_CONNECTED } from './http-answer.server.ts';
import type { MailOutcome } from './notification.server.ts';

const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
/** Bounds a server that trickles its answer: SILENCE_MS never runs out while bytes arrive. */
const DEADLINE_MS = 20_000;

export function openSmtp(smtpUrl: string) {
  // With `smtp:`, the server must offer STARTTLS unless it is this machine.
  const local = isLoopback(new URL(smtpUrl).hostname);
  const transport = createTransport({
    url: smtpUrl,
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
  return {
    paceMs: 0,
    deadlineMs: DEADLINE_MS,
    /** Whether the server accepts the connection. */
    async verify(): Promise<MailOutcome> {
      try {
        await transport.verify();
        return { kind: 'accepted', answer: 'the mail server lets us in' };
      } catch (error) {
        return outcomeOf(error);
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
/** Microsoft 365's codes where SMTP takes no passwords, and for a wrong password. */
const NO_PASSWORDS = /\b5\.7\.(139|30)\b/;
const USE_GRAPH =
  'Microsoft 365 takes no password by SMTP any more, or not this one. Set GRAPH_TENANT_ID, GRAPH_CLIENT_ID and' +
  ' GRAPH_CLIENT_SECRET instead of SMTP_URL; docs/operations.md has the steps.';

function outcomeOf(error: unknown): MailOutcome {
  const fault: Record<string, unknown> = { ...Object(error) };
  const { code, responseCode = 0, response } = fault;
  const name = typeof code === 'string' ? code : error instanceof Error ? error.name : 'failed';
  // Of several addresses of a name, each has failed for a reason of its own.
  const [cause] = error instanceof AggregateError ? error.errors : [error];
  const answer = `not sent (${name}: ${typeof response === 'string' ? response : reason(cause)})`;
  if (NO_PASSWORDS.test(answer))
    return {
      kind: 'unavailable',
      answer: `${USE_GRAPH} ${answer}`,
      aboutAll: true,
      isLasting: true,
    };
  // A wrong password or sender is not about this email and can be fixed.
  const isLasting =
    code === 'EAUTH' || (fault.command === 'MAIL FROM' && Number(responseCode) >= 500);
  const aboutAll = isUnreachable(fault) || code === 'EAUTH' || fault.command === 'MAIL FROM';
  const aboutEmail = (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) > 0;
  if (aboutAll || !aboutEmail || responseCode === SERVICE_NOT_AVAILABLE)
    return { kind: 'unavailable', answer, aboutAll, isLasting };
  return { kind: Number(responseCode) >= 500 ? 'refused' : 'retry', answer };
}

/** Whether there was no connection, so that nothing was sent. */
function isUnreachable({ code, originalCode, timeoutType }: Record<string, unknown>): boolean {
  return (
    code === 'EDNS' || timeoutType === 'CONNECT_TIMEOUT' || NOT_CONNECTED.has(String(originalCode))
  );
}
