/** A notice together with what it is about, and who is to hear of it. */
import type { Kysely } from 'kysely';
import { isOpen } from '../company/business-hours.ts';
import type { Company } from '../company/company.ts';
import type { Row, Tables } from '../platform/tables.server.ts';
import type { ChannelName } from './delivery.ts';
import type { Notice, OrderNews } from './notice.ts';
import { reference } from './reference.ts';
import { TOPICS } from './topic.ts';

type Db = Kysely<Tables>;

export type Told =
  | { kind: 'contact-received'; submission: Row<'contactSubmissions'> }
  | { kind: 'chat-received'; message: Row<'chatMessages'> }
  | { kind: OrderNews; order: Row<'orders'> };

/** Undefined when the row has been deleted since, or an older version told of what is no news any more. */
export async function readTold(db: Db, notice: Notice): Promise<Told | undefined> {
  switch (notice.kind) {
    case 'contact-received': {
      const submission = await db
        .selectFrom('contactSubmissions')
        .selectAll()
        .where('id', '=', notice.submissionId)
        .executeTakeFirst();
      return submission && { kind: notice.kind, submission };
    }
    case 'chat-received': {
      const message = await db
        .selectFrom('chatMessages')
        .selectAll()
        .where('id', '=', notice.chatMessageId)
        .executeTakeFirst();
      return message && { kind: notice.kind, message };
    }
    case 'order-paid':
    case 'order-renewal-failed':
    case 'order-disputed':
    case 'order-refunded':
    case 'order-ending':
    case 'order-ended': {
      const order = await db
        .selectFrom('orders')
        .selectAll()
        .where('id', '=', notice.orderId)
        .executeTakeFirst();
      return order && { kind: notice.kind, order };
    }
    default:
      return undefined;
  }
}

export function noticeReference(notice: Notice): string {
  switch (notice.kind) {
    case 'contact-received':
      return reference('contact', notice.submissionId);
    case 'chat-received':
      return reference('chat', notice.chatMessageId);
    default:
      return reference('order', notice.orderId);
  }
}

export function topicOf(told: Told): string {
  switch (told.kind) {
    case 'contact-received':
      return TOPICS.contact(told.submission.id);
    case 'chat-received':
      return TOPICS.chat(told.message.conversation);
    default:
      return TOPICS.order(told.order.id);
  }
}

/** How many confirmations one address gets in a day, for whoever types it need not be whom it belongs to. */
const CONFIRMATIONS_A_DAY = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Those of the configured channels that are to hear of it. */
export async function channelsFor(
  db: Db,
  told: Told,
  hours: Company['hours'],
  configured: readonly ChannelName[],
): Promise<ChannelName[]> {
  const wanted = await wantedChannels(db, told, hours, configured);
  return configured.filter((name) => wanted.includes(name));
}

async function wantedChannels(
  db: Db,
  told: Told,
  hours: Company['hours'],
  configured: readonly ChannelName[],
): Promise<ChannelName[]> {
  switch (told.kind) {
    case 'contact-received': {
      const { submission } = told;
      const confirm = submission.mark !== 'spam' && (await isSeldom(db, submission));
      return ['teams', 'mail-staff', ...(confirm ? (['mail-customer'] as const) : [])];
    }
    case 'chat-received': {
      // While the desk is open it reads Teams; a desk without Teams has nothing but its mail.
      const seenInTeams = configured.includes('teams') && isOpen(hours, told.message.createdAt);
      return ['teams', ...(seenInTeams ? [] : (['mail-staff'] as const))];
    }
    default:
      return ['teams', 'mail-staff', 'mail-customer'];
  }
}

async function isSeldom(db: Db, { email, createdAt }: Row<'contactSubmissions'>): Promise<boolean> {
  const { count } = await db
    .selectFrom('contactSubmissions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ fn, eb }) => eb(fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('createdAt', '>', createdAt - DAY_MS)
    .executeTakeFirstOrThrow();
  return count <= CONFIRMATIONS_A_DAY;
}
