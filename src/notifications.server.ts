/** Every kind of notification that the site sends. The inbox has a word for each in notification-words.ts. */
import { chatReceived } from './chat/chat-received.server.ts';
import { contactReceived } from './contact/contact-received.server.ts';
import type { NotificationKind } from './notify/notification-kind.server.ts';
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
import { quoteChanged } from './quotes/notifications/quote-changed.server.ts';
import { quoteReminder } from './quotes/notifications/quote-reminder.server.ts';
import { quoteSaved } from './quotes/notifications/quote-saved.server.ts';
import { safeguardsReport } from './safeguards/report-mailed.server.ts';

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
