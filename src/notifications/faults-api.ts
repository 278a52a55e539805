/** The faults that staff are shown until they are over. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { list, text, timestamp } from '../platform/schema.ts';

/** What the site depends on: what its lasting fault means, and what to do. */
export const DEPENDENCIES = {
  stripe: {
    fault: 'Stripe does not answer this site',
    cure: 'No one can pay or change a plan. See STRIPE_SECRET_KEY: was the key rolled?',
  },
  'stripe-permission': {
    fault: 'The key for Stripe lacks a permission',
    cure: 'Give it to the key in Stripe’s dashboard.',
  },
  'stripe-start': {
    fault: 'Stripe refuses a new order',
    cure: 'Nobody may be able to buy. See the account in Stripe’s dashboard: may it charge?',
  },
  'stripe-webhook': {
    fault: 'Stripe’s events are refused',
    cure: 'Set STRIPE_WEBHOOK_SECRET to the signing secret of this endpoint. Until then, orders follow every 5 minutes.',
  },
  clock: {
    fault: 'The clock of this server is wrong',
    cure: 'Have it set by NTP. Until then, Stripe’s events are refused, and orders follow every 5 minutes.',
  },
  mail: {
    fault: 'Email does not leave',
    cure: 'It waits here, and leaves once this works again.',
  },
  replies: {
    fault: 'Replies by email are not read',
    cure: 'They are in the mailbox. See docs/operations.md: the role Application Mail.Read. If one email cannot be read, move it out of the inbox.',
  },
  teams: {
    fault: 'Microsoft Teams takes no messages',
    cure: 'They wait here. See TEAMS_WEBHOOK_URL: is the workflow still there and switched on?',
  },
  webhook: {
    fault: 'The webhook takes no events',
    cure: 'They wait here. See WEBHOOK_URL and WEBHOOK_SECRET, there and here.',
  },
  backup: {
    fault: 'The newest copy of the database is too old',
    cure: 'See BACKUP_DIR and its disk. The doctor says more.',
  },
  'sign-in': {
    fault: 'No one can sign in with a work account',
    cure: 'See the OIDC_ variables: has the client secret expired?',
  },
} as const satisfies Record<string, { fault: string; cure: string }>;
export type Dependency = keyof typeof DEPENDENCIES;

const fault = z.object({
  service: z.string(),
  fault: text,
  /** What it says, such as 'refused (401)'. */
  answer: text,
  cure: text,
  since: timestamp,
});
export type Fault = z.output<typeof fault>;

export const LIST_FAULTS = contract('GET /api/admin/faults', {
  answer: z.object({ faults: list(fault) }),
});
