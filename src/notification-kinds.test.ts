import { expect, test } from 'vitest';
import { startTestOutbox } from '../tests/support/test-outbox.ts';
import { chatReceived } from './chat/chat-message.server.ts';
import { NOTIFICATION_LABELS } from './inbox/inbox-api.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.server.ts';

test('the inbox has a label for each kind of notification', () => {
  expect(Object.keys(NOTIFICATION_LABELS)).toEqual(NOTIFICATION_KINDS.map(({ kind }) => kind));
});

test('notifying of an unlisted kind fails before anything is saved, because no worker would find it', async () => {
  const site = await startTestOutbox({});
  const unlisted = { ...chatReceived, kind: 'unlisted' };
  const notifying = site.outbox.notify(site.database.db, unlisted, 1);
  await expect(notifying).rejects.toThrow('unlisted is not in NOTIFICATION_KINDS');
  await site.stop();
});
