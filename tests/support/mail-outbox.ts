/** A test outbox that sends its emails to a mailbox of its own. */
import { expect } from 'vitest';
import type { Row } from '../../src/platform/database/tables.server.ts';
import { eventually } from './eventually.ts';
import { Mailbox, type ReceivedMail } from './mailbox.ts';
import { startTestOutbox, type TestOutbox } from './test-outbox.ts';

export const DESK = 'desk@tidewell.example';

export interface MailOutbox {
  mailbox: Mailbox;
  site: TestOutbox;
  mailTo(address: string, count?: number): Promise<ReceivedMail[]>;
  firstTo(address: string): Promise<ReceivedMail>;
  deliveries(): Promise<Row<'outbox'>[]>;
  /** Waits until everything that is waiting has gone out. */
  allAccepted(): Promise<void>;
  stop(): Promise<void>;
}

/** `more` variables come on top of the mailbox's. */
export async function startMailOutbox(
  more: Record<string, string> = {},
  given?: Mailbox,
): Promise<MailOutbox> {
  const mailbox = given ?? (await Mailbox.start());
  const site = await startTestOutbox({ ...mailbox.variables, ...more });
  const { deliveries } = site;
  async function mailTo(address: string, count = 1): Promise<ReceivedMail[]> {
    await eventually(() => expect(mailbox.to(address).length).toBeGreaterThanOrEqual(count));
    return mailbox.to(address);
  }
  return {
    mailbox,
    site,
    mailTo,
    async firstTo(address) {
      const [mail] = await mailTo(address);
      if (!mail) throw new Error(`no mail to ${address}`);
      return mail;
    },
    deliveries,
    async allAccepted() {
      await eventually(async () => {
        const states = (await deliveries()).map(({ state }) => state);
        expect(states.filter((state) => state !== 'accepted')).toEqual([]);
      });
    },
    async stop() {
      await site.stop();
      await mailbox.stop();
    },
  };
}
