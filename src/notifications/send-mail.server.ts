/** Sends emails by SMTP or Microsoft Graph. A visitor's text cannot add a header. */
import { domainToASCII } from 'node:url';
import { openGraph } from './graph.server.ts';
import type { GraphSettings } from './graph-settings.server.ts';
import type { Email, Mailbox, MailOutcome } from './notification.server.ts';
import { openSmtp } from './smtp.server.ts';

export interface MailSettings {
  transport: { smtpUrl: string } | GraphSettings;
  from: Mailbox;
  to: Mailbox;
}

interface SentEmail
  extends Pick<Email, 'to' | 'replyTo' | 'subject' | 'isAutomatic' | 'unsubscribeUrl' | 'logos'> {
  text: string;
  html?: string;
  /** The local part of the Message-ID, that of the thread's, and that of the email before it. */
  key: string;
  thread?: string;
  previous?: string;
  date: number;
}

/** Tells out-of-office programs not to answer. */
const NO_AUTOMATIC_ANSWER = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
};

/** `publicUrl`: ours, or null. */
export function openMail(
  { transport, from, to: { address: staffAddress } }: MailSettings,
  publicUrl: string | null,
) {
  const sender =
    'smtpUrl' in transport
      ? openSmtp(transport.smtpUrl, greetingName(publicUrl, from))
      : openGraph(transport, from);
  const domain = domainOf(from);

  return {
    paceMs: sender.paceMs,
    deadlineMs: sender.deadlineMs,
    /** Whether emails would be accepted, as far as can be known without sending one. */
    verify: async (): Promise<MailOutcome> => withoutAddress(await sender.verify(), staffAddress),
    async send(email: SentEmail, signal: AbortSignal): Promise<MailOutcome> {
      const { to, replyTo, text, html, logos = [], unsubscribeUrl: url } = email;
      const idOf = (key: string) => `<${key}@${domain}>`;
      const references = [email.thread, email.previous].filter((key) => key !== undefined);
      const composed = {
        from,
        to,
        ...(replyTo && {
          replyTo: { name: oneLine(replyTo.name), address: oneLine(replyTo.address) },
        }),
        subject: oneLine(email.subject),
        text,
        html,
        attachments: logos
          .filter(({ id }) => html?.includes(`"cid:${id}"`))
          .map(({ id, png }) => ({ cid: id, filename: `${id}.png`, content: png })),
        messageId: idOf(email.key),
        references: references.map(idOf),
        ...(email.previous && { inReplyTo: idOf(email.previous) }),
        date: new Date(email.date),
        // Exchange refuses emails with a line feed alone.
        newline: 'windows',
        headers: {
          ...(email.isAutomatic && NO_AUTOMATIC_ANSWER),
          // RFC 8058: one press in the mail program posts to the URL.
          ...(url && {
            'List-Unsubscribe': `<${url}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      };
      return withoutAddress(await sender.send(composed, signal), to);
    },
    close: sender.close,
  };
}

/** What relays take as a name: they refuse addresses, and names without a dot. */
const DOMAIN = /^([a-z\d-]+\.)+[a-z][a-z\d-]*$/;

function greetingName(publicUrl: string | null, from: Mailbox): string {
  const host = publicUrl === null ? '' : new URL(publicUrl).hostname;
  return DOMAIN.test(host) ? host : domainOf(from);
}

/** As the DNS has it. */
export function domainOf({ address }: Pick<Mailbox, 'address'>): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1));
}

/** Replaces control characters: a line break would end the header and start another. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300);
}

/** Mail servers quote the address; stored answers must not contain it once a person is erased. */
function withoutAddress(outcome: MailOutcome, address: string): MailOutcome {
  const inDns = `${address.slice(0, address.lastIndexOf('@'))}@${domainOf({ address })}`;
  const answer = [address, inDns].reduce(
    (text, one) => text.replace(new RegExp(RegExp.escape(one), 'giu'), 'the address'),
    outcome.answer,
  );
  return { ...outcome, answer: oneLine(answer) };
}
