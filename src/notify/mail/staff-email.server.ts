/** The email that staff get; their reply to it goes to the visitor. */
import { cents } from '../../platform/money.ts';
import type { StaffMessage, Writer } from '../staff-message.server.ts';
import type { Email } from './email.server.ts';

export function staffEmail(message: StaffMessage, { company, publicUrl }: Writer): Email {
  const { title, warning, suspicious, facts, text, lines, reply, staffUrl } = message;
  const total = cents(lines.reduce((sum, line) => sum + line.amount, 0));
  const from = reply?.name ? ` from ${reply.name}` : '';
  return {
    subject: `${suspicious ? 'Possible spam: ' : ''}${title}${from}`,
    heading: title,
    parts: [
      ...(warning ? [{ kind: 'warning' as const, text: warning }] : []),
      { kind: 'facts', facts },
      ...(text === null ? [] : [{ kind: 'quote' as const, text }]),
      ...(lines.length === 0 ? [] : [{ kind: 'prices' as const, lines, total }]),
      ...(reply ? [`Your reply to this email will go to ${reply.email}.`] : []),
      { kind: 'link', label: 'Open the staff area', url: staffUrl },
    ],
    footer: [`Sent by the ${company.name} website, ${publicUrl}`],
    replyTo: reply
      ? { name: reply.name ?? '', address: reply.email }
      : { name: company.name, address: company.email },
  };
}
