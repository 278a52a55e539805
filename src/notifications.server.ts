/** Every kind of notification that the site sends. The inbox has a word for each in notification-words.ts. */
import { chatReceived } from './chat/chat-received.server.ts';
import { orderDisputed } from './checkout/order-disputed.server.ts';
import { orderEnded } from './checkout/order-ended.server.ts';
import { orderEnding } from './checkout/order-ending.server.ts';
import { orderPaid } from './checkout/order-paid.server.ts';
import { orderRefunded } from './checkout/order-refunded.server.ts';
import { orderRenewalFailed } from './checkout/order-renewal-failed.server.ts';
import { contactReceived } from './contact/contact-received.server.ts';
import type { NotificationKind } from './notify/notification-kind.server.ts';

export const NOTIFICATION_KINDS: readonly NotificationKind[] = [
  contactReceived,
  chatReceived,
  orderPaid,
  orderRenewalFailed,
  orderDisputed,
  orderRefunded,
  orderEnding,
  orderEnded,
];
