import { expect, test } from 'vitest';
import { startTestOutbox } from '../tests/support/test-outbox.ts';
import { chatReceived } from './chat/chat-message.server.ts';
import { NOTIFICATION_WORDS } from './inbox/inbox.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.server.ts';
import { storedNotification } from './notifications/notification.server.ts';

test('what other versions of the site have stored in the outbox stays readable, and the other way round', () => {
  expect(NOTIFICATION_KINDS.map((kind) => storedNotification(kind, 12))).toEqual([
    '{"kind":"contact-received","submissionId":12}',
    '{"kind":"chat-received","chatMessageId":12}',
    '{"kind":"order-paid","orderId":12}',
    '{"kind":"order-renewed","orderId":12}',
    '{"kind":"order-renewal-failed","orderId":12}',
    '{"kind":"order-disputed","orderId":12}',
    '{"kind":"order-refunded","orderId":12}',
    '{"kind":"order-changed","orderId":12}',
    '{"kind":"order-card-replaced","orderId":12}',
    '{"kind":"order-ending","orderId":12}',
    '{"kind":"order-ended","orderId":12}',
    '{"kind":"order-paid-after-end","orderId":12}',
    '{"kind":"order-links","linkRequestId":12}',
    '{"kind":"quote-saved","quoteId":12}',
    '{"kind":"quote-changed","quoteId":12}',
    '{"kind":"quote-reminder","quoteId":12}',
    '{"kind":"safeguards-report","reportId":12}',
  ]);
});

test('staff have a word for each kind of notification', () => {
  expect(Object.keys(NOTIFICATION_WORDS)).toEqual(NOTIFICATION_KINDS.map(({ kind }) => kind));
});

test('a kind that is not listed is refused before anything is stored, for no worker would find it', async () => {
  const site = await startTestOutbox({});
  const unlisted = { ...chatReceived, kind: 'unlisted' };
  const notifying = site.outbox.notify(site.database.db, unlisted, 1);
  await expect(notifying).rejects.toThrow('no list of kinds has unlisted');
  await site.stop();
});
