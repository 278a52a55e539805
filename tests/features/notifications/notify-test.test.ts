import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeTeams, SECRET } from '../../support/fake-teams.ts';
import { Mailbox } from '../../support/mailbox.ts';

/** What `npm run notify:test` runs after its set-up. */
async function notifyTest(
  variables: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['scripts/notify-test.ts'], {
    env: { PATH: process.env.PATH ?? '', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { code, said: out + err };
}

describe('an operator who tries the configuration', () => {
  let teams: FakeTeams;
  let mailbox: Mailbox;
  beforeEach(async () => {
    teams = await FakeTeams.start();
    mailbox = await Mailbox.start();
  });
  afterEach(async () => {
    await teams.stop();
    await mailbox.stop();
  });

  test('sees one of each arrive', async () => {
    const { code, said } = await notifyTest({ ...teams.variables, ...mailbox.variables });
    expect(said).toMatch(/Microsoft Teams: accepted \(202\)/);
    expect(said).toMatch(/Email to staff, desk@tidewell\.example: accepted \(250/);
    expect(said).toMatch(
      /Email to customers, sent to desk@tidewell\.example instead: accepted \(250/,
    );
    expect(code).toBe(0);
    expect(teams.faults).toEqual([]);
    expect(teams.accepted).toHaveLength(1);
    expect(mailbox.mails.map(({ subject, recipients }) => [subject, recipients])).toEqual([
      ['Test: new message from Tidewell Support', ['desk@tidewell.example']],
      ['Test: We received your message (C-0)', ['desk@tidewell.example']],
    ]);
  });

  test('reads what is not configured', async () => {
    const { code, said } = await notifyTest({});
    expect(said).toContain('Microsoft Teams: not configured (TEAMS_WEBHOOK_URL)');
    expect(said).toContain('Email: not configured (SMTP_URL, MAIL_FROM, MAIL_TO)');
    expect(code).toBe(0);
  });

  test('reads what was refused, without the secret', async () => {
    teams.behaviour = () => ({ status: 401 });
    mailbox.behaviour = () => 550;
    const { code, said } = await notifyTest({ ...teams.variables, ...mailbox.variables });
    expect(said).toContain('Microsoft Teams: refused (401)');
    expect(said).toMatch(/Email to staff.*: not sent \(.*550/);
    expect(said).not.toContain(SECRET);
    expect(code).toBe(1);
  });

  test('reads what is wrong with the configuration', async () => {
    const { code, said } = await notifyTest({ SMTP_URL: 'smtps://mail.dealer.example' });
    expect(said).toContain('MAIL_FROM is missing');
    expect(said).not.toContain('    at ');
    expect(code).toBe(1);
  });
});
