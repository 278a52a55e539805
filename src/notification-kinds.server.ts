/** Every kind of notification that the site sends, and the ways by which it may go. */
import { chatReceived } from './chat/chat-message.server.ts';
import { contactReceived } from './contact/contact-message.server.ts';
import type { Channel, NotificationKind, Writer } from './notifications/notification.server.ts';
import { teamsChannel } from './notifications/teams.server.ts';
import { orderCardReplaced } from './orders/notifications/order-card-replaced.server.ts';
import { orderChanged } from './orders/notifications/order-changed.server.ts';
import { orderDisputed } from './orders/notifications/order-disputed.server.ts';
import { orderEnded } from './orders/notifications/order-ended.server.ts';
import { orderEnding } from './orders/notifications/order-ending.server.ts';
import { orderLinks } from './orders/notifications/order-links.server.ts';
import { orderPaid } from './orders/notifications/order-paid.server.ts';
import { orderRefunded } from './orders/notifications/order-refunded.server.ts';
import { orderRenewalFailed } from './orders/notifications/order-renewal-failed.server.ts';
import { orderRenewed } from './orders/notifications/order-renewed.server.ts';
import type { Env } from './platform/config/env.server.ts';
import { quoteChanged, quoteReminder, quoteSaved } from './quotes/quote-mails.server.ts';
import { safeguardsReport } from './safeguards/email-report.server.ts';

/** The inbox has a word for each in notification-words.ts. */
export const NOTIFICATION_KINDS: readonly NotificationKind[] = [
  contactReceived,
  chatReceived,
  orderPaid,
  orderRenewed,
  orderRenewalFailed,
  orderDisputed,
  orderRefunded,
  orderChanged,
  orderCardReplaced,
  orderEnding,
  orderEnded,
  orderLinks,
  quoteSaved,
  quoteChanged,
  quoteReminder,
  safeguardsReport,
];

/**
 * The ways of reaching people that this site's configuration gives it: none, Teams, mail, or both. The mail library
 * is loaded only where there is mail to send.
 */
export async function configuredChannels(
  { teams, mail }: Pick<Env, 'teams' | 'mail'>,
  writer: Writer,
): Promise<Channel[]> {
  return [
    ...(teams ? [teamsChannel(teams, writer)] : []),
    ...(mail ? (await import('./notifications/mail.server.ts')).mailChannels(mail, writer) : []),
  ];
}
