/** What is mailed when an order gets another address: to the new one, and to the former. */
import { hash } from 'node:crypto';
import type { Order } from '../billing/billed-order.server.ts';
import { EMAIL_CHANGED, emailTopic } from '../billing/order-details.server.ts';
import { findOrder } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { paysRealMoney } from '../billing/subscription-store.server.ts';
import type {
  CustomerEmail,
  MessageContext,
  NotificationKind,
} from '../notifications/notification.server.ts';
import { receiptLink } from '../orders/order-access.server.ts';
import { greeted } from '../orders/order-mail-texts.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { newToken } from '../platform/http/cookies.server.ts';

interface EmailChange {
  change: Row<'emailChanges'>;
  order: Order;
}

type Written = Omit<CustomerEmail, 'to' | 'reason' | 'unsubscribeUrl'>;

function aboutEmail(
  kind: string,
  label: string,
  address: 'email' | 'formerEmail',
  write: (
    about: EmailChange & { number: string },
    context: MessageContext,
  ) => Promise<Written> | Written,
): NotificationKind<EmailChange> {
  const recipient = ({ change }: EmailChange) => change[address] ?? undefined;
  return {
    kind,
    label,
    async find(db, id) {
      const found = db.selectFrom('emailChanges').selectAll().where('id', '=', id);
      const change = await found.executeTakeFirst();
      const order = change && (await findOrder(db, change.orderId));
      return order && { change, order };
    },
    reference: (id) => `E-${id}`,
    topic: ({ change }) => emailTopic(change.orderId),
    audiences: () => ['customer'],
    limitedRecipient: (about) =>
      about.change.formerEmail !== null && paysRealMoney(about.order.subscription)
        ? undefined
        : recipient(about),
    async customerEmail(about, _at, context) {
      const to = recipient(about);
      if (to === undefined) return undefined;
      return {
        to,
        ...(await write({ ...about, number: orderReference(about.order.id) }, context)),
      };
    },
  };
}

/** Anyone's address may have been typed: nothing about the order but its number. */
export const emailToConfirm = aboutEmail(
  'email-to-confirm',
  'Address to confirm',
  'email',
  async ({ change: { id }, order, number }, context) => {
    const key = newToken();
    await context.db
      .updateTable('emailChanges')
      .set({ keyHash: hash('sha256', key), createdAt: Date.now() })
      .where('id', '=', id)
      .execute();
    return {
      subject: `Confirm your address for order ${number}`,
      heading: 'Confirm your email address',
      parts: [
        `Someone, probably you, wants receipts and links for order ${number} at ${context.company.name} to come to this address. The link works once and expires in 30 minutes.`,
        {
          kind: 'link',
          label: 'Confirm this address',
          url: await receiptLink(context, order, null, { email: key }),
        },
      ],
      question: 'If you didn’t ask for this, ignore this email. Questions?',
    };
  },
);

const [FROM, TO] = EMAIL_CHANGED;

export const emailChangedFrom = aboutEmail(
  FROM,
  'Former address of an order',
  'formerEmail',
  ({ order, number }) => ({
    ...greeted(order),
    subject: `Another email address for order ${number}`,
    heading: 'Your order has another email address',
    parts: [
      `Receipts and links for order ${number} go to another address from now on, and no longer to this one.`,
    ],
    question: 'If you didn’t expect this, please call us right away. Questions?',
  }),
);

export const emailChangedTo = aboutEmail(
  TO,
  'New address of an order',
  'email',
  async ({ order, number }, context) => ({
    ...greeted(order),
    subject: `Your email address for order ${number}`,
    heading: 'This is your order’s address now',
    parts: [
      `Receipts and links for order ${number} come to this address from now on.`,
      {
        kind: 'link',
        label: 'View order and billing',
        url: await receiptLink(context, order),
      },
    ],
    question: 'If you didn’t expect this, please call us. Questions?',
  }),
);
