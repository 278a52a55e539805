/** A test outbox with its own mailbox. */
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { Mailbox, type ReceivedMail } from './mailbox.ts';
import { startTestOutbox } from './test-outbox.ts';

export const DESK = 'desk@tidewell.example';

export type MailOutbox = Awaited<ReturnType<typeof startMailOutbox>>;

/** `more`: environment variables besides the mailbox's. */
export async function startMailOutbox(more: Record<string, string> = {}, given?: Mailbox) {
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
    async firstTo(address: string) {
      const [mail] = await mailTo(address);
      if (!mail) throw new Error(`no mail to ${address}`);
      return mail;
    },
    deliveries,
    /** Waits until every delivery has been accepted. */
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
