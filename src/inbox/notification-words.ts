import { ORDER_NEWS } from '../orders/notifications/order-news.ts';

/** What a notification is about, by its kind, in the list of deliveries. */
export const NOTIFICATION_WORDS: Readonly<Record<string, string>> = {
  'contact-received': 'Message',
  'chat-received': 'Chat message',
  ...ORDER_NEWS,
  'order-links': 'Links to orders',
  'quote-saved': 'Quote',
  'quote-changed': 'Changed quote',
  'quote-reminder': 'Reminder of quote',
  'safeguards-report': 'Safeguards report',
};
