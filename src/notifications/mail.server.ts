/** Writes the emails to staff and to customers. */
import { addressLine } from '../company/company.ts';
import { formatDateTime } from '../company/days.ts';
import { openingHours } from '../company/hours.ts';
import { firstName } from '../platform/fields.ts';
import { DAY_MS } from '../platform/time.ts';
import { emailText } from './email-text.server.ts';
import { deliveryKeys, topicKey } from './message-id.server.ts';
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
import { findPrevious } from './outbox-store.server.ts';
import { emailHtml } from './render-email.server.tsx';
import { type MailSettings, openMail } from './send-mail.server.ts';

/** Two channels, so that emails to staff and to customers do not wait for each other. */
export function mailChannels(mail: MailSettings, context: MessageContext): Channel[] {
  const staff = openMail(mail, context.publicUrl);
  // Over SMTP each has a connection of its own. Graph's token serves both.
  const isSmtp = 'smtpUrl' in mail.transport;
  const customer = isSmtp ? openMail(mail, context.publicUrl) : staff;
  return [
    mailChannel('mail-staff', staff, context, async ({ kind, subject }) => {
      const message = kind.staffMessage?.(subject, context);
      if (!message) return [];
      return [message, withoutVisitor(message)].map((content) =>
        staffEmail(mail.to.address, content, context),
      );
    }),
    {
      ...mailChannel('mail-customer', customer, context, async ({ kind, subject }, at) => {
        const email = await kind.customerEmail?.(subject, at, context);
        return email ? [customerEmail(email, context)] : [];
      }),
      // Graph keeps what it sent.
      leavesCopies: !isSmtp,
    },
  ];
}

/** `write` returns the email, then what is sent if its content is refused; or nothing. */
function mailChannel(
  name: Channel['name'],
  mail: ReturnType<typeof openMail>,
  { db, company, logos = [] }: MessageContext,
  write: (notification: Notification, at: number) => Promise<Email[]>,
): Channel {
  return {
    name,
    paceMs: mail.paceMs,
    leavesCopies: true,
    deadlineMs: mail.deadlineMs,
    async deliver(row, notification, signal) {
      const { createdAt, topic } = row;
      const previous = await findPrevious(db, row);
      const keyOf = await deliveryKeys(db);
      const ids = {
        key: keyOf(row),
        thread: topicKey(topic),
        ...(previous && { previous: keyOf(previous) }),
      };
      // Gateways refuse an email that is days old, or of a day to come.
      const now = Date.now();
      const isLate = now - createdAt > DAY_MS;
      const date = isLate ? now : Math.min(createdAt, now);
      const late = isLate ? [`This was written on ${formatDateTime(company, createdAt)}.`] : [];
      let outcome: DeliveryOutcome = { kind: 'obsolete' };
      for (const written of await write(notification, createdAt)) {
        const email = { ...written, logos, parts: [...late, ...written.parts] };
        const text = emailText(email);
        const html = emailHtml(email);
        outcome = await mail.send({ ...email, text, html, ...ids, date }, signal);
        if (outcome.kind !== 'refused') break;
      }
      return outcome;
    },
    close: mail.close,
  };
}

/** Without SMTPUTF8, headers hold no mailbox name outside ASCII. Domains are encoded. */
const FITS_A_HEADER = /^[\x21-\x7e]+@/;

/** What leaves if the mail server refuses the visitor's words or address, for example as spam. */
function withoutVisitor(message: StaffMessage): StaffMessage {
  const refused =
    'The mail server refused this email with the visitor’s words in it. Read them in the staff area.';
  const warning = message.warning ? `${message.warning} ${refused}` : refused;
  return { ...message, text: null, reply: null, warning };
}

function staffEmail(
  to: string,
  { title, warning, suspicious, facts, text, price, reply, staffUrl }: StaffMessage,
  { company, publicUrl, isOwnAddress }: MessageContext,
): Email {
  const isOwn = reply !== null && isOwnAddress(reply.email);
  const from = reply?.name ? `, ${reply.name}` : '';
  const parts: EmailPart[] = [{ kind: 'facts', facts }];
  if (warning) parts.unshift({ kind: 'warning', text: warning });
  if (text) parts.push({ kind: 'quote', text });
  if (price) {
    parts.push({ kind: 'prices', price });
  }
  const replyTo = reply && FITS_A_HEADER.test(reply.email) ? reply : null;
  if (isOwn)
    parts.unshift({
      kind: 'warning',
      text: `${reply.email} is our own address, which the visitor typed. We sent no confirmation, and a reply to this email reaches no visitor.`,
    });
  else if (reply)
    parts.push(
      replyTo
        ? `Your reply to this email will go to ${reply.email}.`
        : `Write your answer to ${reply.email}. A reply to this email would go to ${company.email}.`,
    );
  return {
    to,
    subject: `${suspicious ? 'Possible spam: ' : ''}${title}${from}`,
    wordmark: company.name,
    heading: title,
    parts: [...parts, { kind: 'link', label: 'Open the staff area', url: staffUrl }],
    footer: [`Sent by the ${company.name} website, ${publicUrl}`],
    // A ticket system drops automatic mail; this one is a person's, sent through a form.
    isAutomatic: false,
    // The visitor, or us where an answer cannot reach them.
    replyTo: isOwn
      ? null
      : replyTo
        ? { name: replyTo.name ?? '', address: replyTo.email }
        : { name: company.name, address: company.email },
  };
}

/** As text, for staff to read before it is sent. */
export function customerEmailText(message: CustomerEmail, context: MessageContext): string {
  return emailText(customerEmail(message, context));
}

export function customerEmail(
  message: CustomerEmail,
  { company, publicUrl }: MessageContext,
): Email {
  const { name = '', company: buyer, parts, question, reason, ...email } = message;
  const whom = LIKE_A_NAME.test(name) ? firstName(name) : LIKE_A_NAME.test(buyer ?? '') && buyer;
  const { legalName, address, phone, hours } = company;
  const call = { label: phone.display, url: `tel:${phone.tel}` };
  const answers = [`${question} Reply to this email or call `, call, '.'];
  const isLetter = email.heading === undefined;
  return {
    ...email,
    wordmark: company.name,
    ...(!isLetter && whom && { greeting: `Hello ${whom},` }),
    parts: [...parts, ...(question ? [{ kind: 'words' as const, words: answers }] : [])],
    footer: isLetter
      ? []
      : [
          ...(reason ? [reason, ''] : []),
          ...[legalName, openingHours(hours), addressLine(address), publicUrl],
        ],
    isAutomatic: !isLetter,
    replyTo: { name: company.name, address: company.email },
  };
}

/** Why an email came to an address that anyone can have typed. */
export const SOMEONE_ENTERED =
  'You’re getting this email because someone entered this address on our website. If it wasn’t you, please ignore it.';

/** Up to four words of letters, and nothing that a mail program would turn into a link. */
const LIKE_A_NAME = /^(?!.*\.\p{L}{2})(?=.{2,50}$)[\p{L}\p{M}.'’-]+( [\p{L}\p{M}.'’-]+){0,3}$/u;
