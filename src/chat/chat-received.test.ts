import { afterEach, describe, expect, test } from 'vitest';
import { FakeTeams } from '../../tests/support/fake-teams.ts';
import { DESK, type MailOutbox, startMailOutbox } from '../../tests/support/mail-outbox.ts';
import { CLOSED, OPEN } from '../../tests/support/test-outbox.ts';

let post: MailOutbox;

async function start(more = {}): Promise<void> {
  post = await startMailOutbox(more);
}
afterEach(() => post.stop());

describe('a chat message', () => {
  test('reaches staff by mail when it comes outside business hours', async () => {
    await start();
    const id = await post.site.chat({ createdAt: CLOSED });
    const mail = await post.firstTo(DESK);
    expect(mail.subject).toBe(`New chat message T-${id} from Jane Doe`);
    expect(mail.text).toContain('Sunday, November 22, 2026 at 12:00 PM EST');
  });

  test('reaches them by mail within business hours too where there is no Teams', async () => {
    await start();
    const id = await post.site.chat({ createdAt: OPEN });
    expect((await post.firstTo(DESK)).subject).toBe(`New chat message T-${id} from Jane Doe`);
  });

  test('within business hours is left to Teams', async () => {
    const teams = await FakeTeams.start();
    await start(teams.variables);
    await post.site.chat({ createdAt: OPEN });
    expect(await post.deliveries()).toMatchObject([{ channel: 'teams' }]);
    await teams.stop();
  });

  test('without an address is answered to the company itself', async () => {
    await start();
    await post.site.chat({ createdAt: CLOSED, name: null, email: null });
    expect((await post.firstTo(DESK)).replyTo).toMatchObject([
      { address: post.site.content.company.email },
    ]);
  });
});
