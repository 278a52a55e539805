/** Staff are notified when half of what strangers can store in a day is used up. */
import { STORED_A_DAY } from '../limits.ts';
import type { Row } from '../platform/database/tables.server.ts';
import type { StoredKind } from '../platform/storage-budget.server.ts';
import { STAFF_PAGES } from '../routes.ts';
import type { NotificationKind } from './notification.server.ts';

const NAMES: Record<StoredKind, string> = {
  orders: 'Orders',
  quotes: 'Quotes',
  messages: 'Contact messages',
  chats: 'Chat messages',
  mails: 'Reports and links by email',
};

export const storageWarning: NotificationKind<Row<'storedBytes'>> = {
  kind: 'storage-warning',
  label: 'Storage',
  find: (db, id) =>
    db.selectFrom('storedBytes').selectAll().where('id', '=', id).executeTakeFirst(),
  reference: (id) => `B-${id}`,
  topic: ({ kind }) => `storage ${kind}`,
  audiences: () => ['staff'],
  staffMessage: ({ kind }, { publicUrl }) => ({
    title: `${NAMES[kind]}: half of a day’s space is used up`,
    warning:
      'This is more than customers usually send. If it is spam, block the networks that Logs shows. Once the space is used up, visitors are asked to call; each network can use only a part of what is left.',
    facts: [
      ['Kind', NAMES[kind]],
      ['Space for 24 hours', `${STORED_A_DAY[kind] / 1_000_000} MB`],
    ],
    reply: null,
    staffUrl: `${publicUrl}${STAFF_PAGES.logs.path}`,
  }),
};
