/** Every kind of notification the site sends, and the channels that deliver them. */
import { orderLinks } from './account/lost-link.server.ts';
import { chatReceived } from './chat/chat-message.server.ts';
import { contactReceived } from './contact/contact-message.server.ts';
import type {
  Channel,
  MessageContext,
  NotificationKind,
} from './notifications/notification.server.ts';
import { teamsChannel } from './notifications/teams.server.ts';
import { ORDER_NOTIFICATIONS } from './orders/order-mails.server.ts';
import type { Env } from './platform/config/env.server.ts';
import { quoteChanged, quoteReminder, quoteSaved } from './quotes/quote-mails.server.ts';
import { safeguardsReport } from './safeguards/email-report.server.ts';

/** A new kind also needs its label in the inbox (NOTIFICATION_LABELS). */
export const NOTIFICATION_KINDS: readonly NotificationKind[] = [
  contactReceived,
  chatReceived,
  ...ORDER_NOTIFICATIONS,
  orderLinks,
  quoteSaved,
  quoteChanged,
  quoteReminder,
  safeguardsReport,
];

/** The channels that are configured: Teams, mail, both, or none. The mail library is loaded only if it is needed. */
export async function configuredChannels(
  { teams, mail }: Pick<Env, 'teams' | 'mail'>,
  context: MessageContext,
): Promise<Channel[]> {
  return [
    ...(teams ? [teamsChannel(teams, context)] : []),
    ...(mail ? (await import('./notifications/mail.server.ts')).mailChannels(mail, context) : []),
  ];
}
