/** A site with Teams and mail, either one per test or one for the whole file or block. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { FakeTeams } from './fake-teams.ts';
import { Mailbox } from './mailbox.ts';
import { startTestApp, type TestApp } from './test-app.ts';

interface Running {
  teams: FakeTeams;
  mailbox: Mailbox;
  app: TestApp;
}

export const WITHOUT_MAIL = { SMTP_URL: '', MAIL_FROM: '', MAIL_TO: '' };

export function notifiedSite(
  of: 'each test' | 'all tests' = 'each test',
  variables: Record<string, string> = {},
  content?: string,
) {
  const site = {} as Running;
  const [before, after] = of === 'each test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    site.teams = await FakeTeams.start();
    site.mailbox = await Mailbox.start();
    const receivers = { ...site.teams.variables, ...site.mailbox.variables };
    site.app = await startTestApp({ ...receivers, ...variables }, content);
  });
  after(async () => {
    await site.app.stop();
    await site.teams.stop();
    await site.mailbox.stop();
  });
  const deliveries = () =>
    site.app.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();
  return Object.assign(site, {
    deliveries,
    allAccepted: () =>
      expect
        .poll(async () => (await deliveries()).filter(({ state }) => state !== 'accepted'))
        .toEqual([]),
    /** Subjects of the emails that an address has received. */
    subjects: (address: string) => site.mailbox.to(address).map(({ subject = '' }) => subject),
  });
}
