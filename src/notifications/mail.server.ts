/**
 * Builds emails as plain text and HTML, and sends them by SMTP. Connections are encrypted except to this machine, and
 * control characters are removed from headers, so that a visitor's text cannot add one.
 */
import { html, raw } from 'hono/html';
import { createTransport } from 'nodemailer';
import { lineInWords, SALES_TAX } from '../catalogue/pricing.ts';
import { addressLine } from '../company/company.ts';
import { openingHours } from '../company/hours.ts';
import type { Env } from '../platform/config/env.server.ts';
import { isLoopback } from '../platform/config/env-fields.server.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import type {
  Channel,
  CustomerEmail,
  DeliveryOutcome,
  Email,
  EmailPart,
  MessageContext,
  Notification,
  StaffMessage,
} from './notification.server.ts';

const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
/** Bounds a server that trickles its answer: SILENCE_MS never runs out while bytes arrive. */
export const MAIL_DEADLINE_MS = 20_000;

type MailEnv = NonNullable<Env['mail']>;

/** Two channels, so that staff and customer emails are delivered, retried and given up independently. */
export function mailChannels(mail: MailEnv, context: MessageContext): Channel[] {
  return [
    mailChannel('mail-staff', mail, async ({ kind, subject }) => {
      const message = kind.staffMessage?.(subject, context);
      if (!message) return [];
      return [message, withoutVisitor(message)].map((each) =>
        staffEmail(mail.to.address, each, context),
      );
    }),
    mailChannel('mail-customer', mail, async ({ kind, subject }, at) => {
      const email = await kind.customerEmail?.(subject, at, context);
      return email ? [customerEmail(email, context)] : [];
    }),
  ];
}

/** `write` returns the email, then what is sent if the server refuses its content; nothing if there is nothing to say. */
function mailChannel(
  name: Channel['name'],
  mail: MailEnv,
  write: (notification: Notification, at: number) => Promise<Email[]>,
): Channel {
  const smtp = openMail(mail);
  return {
    name,
    paceMs: 0,
    deadlineMs: MAIL_DEADLINE_MS,
    async deliver({ id, createdAt }, notification, signal) {
      // Every attempt has the same Message-ID, so that mail programs recognise a duplicate.
      const key = `outbox-${id}-${createdAt.toString(36)}`;
      let outcome: DeliveryOutcome = { kind: 'gone' };
      for (const email of await write(notification, createdAt)) {
        outcome = await smtp.send({ ...email, key, date: createdAt }, signal);
        if (outcome.kind !== 'refused') break;
      }
      return outcome;
    },
    close: smtp.close,
  };
}

interface SentEmail extends Email {
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
    async send({ key, date, ...email }: SentEmail, signal: AbortSignal): Promise<DeliveryOutcome> {
      const { to, replyTo } = email;
      try {
        const { response } = await transport.sendMail({
          from: mail.from,
          to,
          replyTo: { name: oneLine(replyTo.name), address: oneLine(replyTo.address) },
          subject: oneLine(email.subject),
          text: emailText(email),
          html: await emailHtml(email),
          messageId: `<${key}@${domain}>`,
          date: new Date(date),
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

type Row = [label: string, value: string];

/** Labels and amounts of the breakdown, the total last. */
function priceRows({ lines, tax, total }: Extract<EmailPart, { kind: 'prices' }>) {
  const rows = lines.map((line): Row => [lineInWords(line), formatDollars(line.amount)]);
  if (tax) rows.push([SALES_TAX, formatDollars(tax)]);
  rows.push(['Total per month', formatDollars(total)]);
  return rows;
}

/** Without SMTPUTF8, which many relays lack, headers cannot hold a mailbox name outside ASCII. Domains are encoded. */
const FITS_A_HEADER = /^[\x21-\x7e]+@/;

/** What leaves if the mail server refuses the visitor's words or address, for example as spam. */
function withoutVisitor(message: StaffMessage): StaffMessage {
  const refused =
    'The mail server refused this email with the visitor’s words in it. Read them in the staff area.';
  const warning = message.warning ? `${message.warning} ${refused}` : refused;
  return { ...message, text: null, reply: null, warning };
}

/** The email to staff. Replying to it answers the visitor. */
function staffEmail(
  to: string,
  { title, warning, suspicious, facts, text, lines, reply, staffUrl }: StaffMessage,
  { company, publicUrl }: MessageContext,
): Email {
  const from = reply?.name ? ` from ${reply.name}` : '';
  const parts: EmailPart[] = [{ kind: 'facts', facts }];
  if (warning) parts.unshift({ kind: 'warning', text: warning });
  if (text) parts.push({ kind: 'quote', text });
  if (lines) {
    parts.push({ kind: 'prices', lines, total: totalOf(lines) });
  }
  const replyTo = reply && FITS_A_HEADER.test(reply.email) ? reply : null;
  if (reply)
    parts.push(
      replyTo
        ? `Your reply to this email will go to ${reply.email}.`
        : `Write your answer to ${reply.email}. A reply to this email would go to ${company.email}.`,
    );
  return {
    to,
    subject: `${suspicious ? 'Possible spam: ' : ''}${title}${from}`,
    heading: title,
    parts: [...parts, { kind: 'link', label: 'Open the staff area', url: staffUrl }],
    footer: [`Sent by the ${company.name} website, ${publicUrl}`],
    // A ticket system drops automatic mail; this one is a person's, sent through a form.
    isAutomatic: false,
    replyTo: replyTo
      ? { name: replyTo.name ?? '', address: replyTo.email }
      : { name: company.name, address: company.email },
  };
}

function customerEmail(message: CustomerEmail, { company, publicUrl }: MessageContext): Email {
  const { name = '', parts, question, reason, ...email } = message;
  const { legalName, address, phone, hours } = company;
  const answers = `Reply to this email or call ${phone.display}, ${openingHours(hours)}.`;
  return {
    ...email,
    parts: [greeting(name), ...parts, ...(question ? [`${question} ${answers}`] : [])],
    footer: [...(reason ? [reason] : []), `${legalName}, ${addressLine(address)}`, publicUrl],
    isAutomatic: true,
    replyTo: { name: company.name, address: company.email },
  };
}

/** Up to four words of letters, and nothing that a mail program would turn into a link. */
const LIKE_A_NAME = /^(?!.*\.\p{L}{2})(?=.{2,50}$)[\p{L}\p{M}.'’-]+( [\p{L}\p{M}.'’-]+){0,3}$/u;

function greeting(name: string): string {
  return LIKE_A_NAME.test(name) ? `Hello ${name},` : 'Hello,';
}

/** The plain-text form, with a visitor's words quoted by '> '. */
function emailText({ heading, parts, footer }: Email): string {
  const blocks = [heading, ...parts.map(partText), ['-- ', ...footer].join('\n')];
  return `${blocks.join('\n\n')}\n`;
}

function partText(part: EmailPart): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'warning':
      return `! ${part.text}`;
    case 'facts':
      return columns(part.facts.map(([label, value]) => [`${label}:`, value]));
    case 'quote':
      return part.text.replace(/^/gm, '> ');
    case 'prices':
      return columns(priceRows(part), 'right');
    case 'link':
      return `${part.label}: ${part.url}`;
  }
}

function columns(rows: readonly Row[], align: 'left' | 'right' = 'left'): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  return rows
    .map(
      ([label, value]) =>
        `${label.padEnd(left)}  ${align === 'right' ? value.padStart(right) : value}`,
    )
    .join('\n');
}

/** Inline styles for the light theme. Elements that change in the dark theme also have a class, see DARK. */
const STYLES = {
  text: 'margin:0 0 16px;font-size:16px;line-height:1.55;color:#3b4a5a',
  quiet: 'font-size:14px;line-height:1.55;color:#596675',
  cell: 'padding:7px 0;font-size:15px;line-height:1.45;vertical-align:top;overflow-wrap:anywhere;border-bottom:1px solid #e5dfd6',
  table: 'width:100%;border-collapse:collapse;margin:0 0 20px',
  warning:
    'margin:0 0 20px;padding:12px 16px;border-radius:8px;font-size:15px;line-height:1.45;background:#fdf2dc;color:#8a5300',
  quote:
    'margin:0 0 20px;padding:14px 18px;border-left:3px solid #0f766e;background:#faf8f5;font-size:16px;line-height:1.55;color:#3b4a5a;white-space:pre-wrap;overflow-wrap:anywhere',
};

type Markup = ReturnType<typeof html>;

const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0e1b2a!important}.sheet{background:#152639!important;border-color:#2b3d51!important}
.strong{color:#ffffff!important}.body{color:#d5dde5!important}.quiet{color:#a9b7c4!important}
.row{border-color:#2b3d51!important}.link{color:#2dd4bf!important}
.quote{border-color:#2dd4bf!important;background:#0e1b2a!important}
.warning{background:#3a2c0a!important;color:#f5b53d!important}}`;

/** The HTML form. It uses tables and inline styles because many mail programs support nothing else. */
async function emailHtml({ subject, heading, parts, footer }: Email): Promise<string> {
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(DARK)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#faf8f5">
<table role="presentation" class="page" style="width:100%;border-collapse:collapse;background:#faf8f5"><tr><td style="padding:32px 16px">
<table role="presentation" class="sheet" style="width:100%;max-width:600px;margin:0 auto;border-collapse:separate;background:#ffffff;border:1px solid #e5dfd6;border-radius:14px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"><tr><td style="padding:32px 32px 24px">
<h1 class="strong" style="margin:0 0 20px;font-size:22px;line-height:1.3;font-weight:650;color:#0e1b2a">${heading}</h1>
${parts.map(partHtml)}
</td></tr><tr><td class="row" style="padding:20px 32px 28px;border-top:1px solid #e5dfd6">
${footer.map((line) => html`<div class="quiet" style="${STYLES.quiet}">${line}</div>`)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
  return document.toString();
}

function partHtml(part: EmailPart): Markup {
  if (typeof part === 'string') return html`<p class="body" style="${STYLES.text}">${part}</p>`;
  switch (part.kind) {
    case 'warning':
      return html`<p class="warning" style="${STYLES.warning}">${part.text}</p>`;
    case 'facts':
      return table(
        part.facts.map(([label, value]) => [
          cell('quiet', 'width:128px;color:#596675', label),
          cell('strong', 'color:#0e1b2a', value),
        ]),
      );
    case 'quote':
      return html`<div class="quote body" style="${STYLES.quote}">${part.text}</div>`;
    case 'prices': {
      const rows = priceRows(part);
      return table(
        rows.map(([label, amount], index) => {
          const style = `font-weight:${index === rows.length - 1 ? 650 : 400};color:#0e1b2a`;
          return [cell('strong', style, label), cell('strong', `${style};${AMOUNT}`, amount)];
        }),
      );
    }
    case 'link':
      return html`<p style="margin:0 0 20px"><a class="link" href="${part.url}" style="font-size:16px;font-weight:600;color:#0f766e">${part.label}</a></p>`;
  }
}

const AMOUNT = 'text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums';

function cell(look: string, style: string, text: string): Markup {
  return html`<td class="row ${look}" style="${STYLES.cell};${style}">${text}</td>`;
}

function table(rows: Markup[][]): Markup {
  return html`<table role="presentation" style="${STYLES.table}">${rows.map((cells) => html`<tr>${cells}</tr>`)}</table>`;
}
