import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { FakeTeams, SECRET } from '../../tests/support/fake-teams.ts';
import { logged } from '../../tests/support/logged.ts';
import { shortenDeadlines } from '../../tests/support/short-deadlines.ts';
import { PUBLIC_URL, startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import { MAX_TRIES } from './outbox.server.ts';
import { postCard } from './teams.server.ts';

let teams: FakeTeams;
let site: TestOutbox;

async function start(payload: 'envelope' | 'card' = 'envelope', variables = {}): Promise<void> {
  teams = await FakeTeams.start(payload);
  site = await startTestOutbox({ ...teams.variables, ...variables });
}

async function cards(count: number): Promise<FakeTeams['accepted']> {
  await eventually(() => expect(teams.accepted.length).toBeGreaterThanOrEqual(count));
  return teams.accepted;
}

afterEach(async () => {
  await site.stop();
  await teams.stop();
});

describe('staff in Teams', () => {
  test.each(['envelope', 'card'] as const)(
    'read who wrote what and when, in the payload %s',
    async (payload) => {
      await start(payload);
      const id = await site.submit({ phone: '(770) 555-0142', service: 'voip' });
      const [received] = await cards(1);
      expect(teams.faults).toEqual([]);
      const text = received?.text ?? '';
      for (const part of [
        `New message C-${id}`,
        'Jane Doe',
        'jane@dealer.example',
        '(770) 555-0142',
        'VoIP Services',
        'Friday, November 20, 2026 at 12:00 PM EST',
        'Our phones are down since nine.',
        `[Reply by email](mailto:jane@dealer.example?subject=Re%3A%20Your%20inquiry%20to%20Tidewell%20%28C-${id}%29)`,
      ])
        expect(text).toContain(part);
      const url = `${PUBLIC_URL}/admin?open=${id}`;
      const action = { type: 'Action.OpenUrl', title: 'Open the staff area', url };
      expect(received?.card.actions).toEqual([action]);
    },
  );

  test('read chat messages, with a spam warning, and without a reply link if no address was given', async () => {
    await start();
    const id = await site.chat({ name: null, email: null, status: 'spam' });
    const [received] = await cards(1);
    for (const part of [`New chat message T-${id}`, 'Is anybody there?', 'looks like spam'])
      expect(received?.text).toContain(part);
    expect(received?.text).not.toContain('mailto:');
    const url = `${PUBLIC_URL}/admin?open=1`;
    expect(received?.card.actions).toMatchObject([{ url }]);
    expect(teams.faults).toEqual([]);
  });

  test('see a visitor’s Markdown and mentions as plain text', async () => {
    await start();
    const hostile =
      '[Sign in](https://evil.example) **now** <at>everyone</at> < AT id="1">all</at>';
    await site.submit({
      name: '[Boss](https://evil.example) <at>all</at>',
      message: `${hostile}\n\n# ${hostile}`,
    });
    const [received] = await cards(1);
    // Only a TextBlock renders Markdown, and it contains only our own words.
    for (const block of received?.card.body ?? [])
      if (block.type === 'TextBlock') expect(JSON.stringify(block)).not.toContain('evil.example');
    expect(JSON.stringify(received?.card)).not.toMatch(/<\s*\/?\s*at\b/i);
    expect(received?.text).toContain('[Sign in](https://evil.example) **now**');
    expect(received?.text.replaceAll('\u200C', '')).toContain('<at>everyone</at>');
  });

  test('get a reply link that no address can break out of', async () => {
    await start();
    await site.submit({ email: "a)[x'*_~!(b@dealer.example" });
    const [received] = await cards(1);
    expect(received?.text).toContain(
      '[Reply by email](mailto:a%29%5Bx%27%2A%5F%7E%21%28b@dealer.example?subject=',
    );
  });

  test.each([
    ['many lines', 'line\n'.repeat(10_000)],
    ['letters that take four bytes', '😀'.repeat(12_000)],
    ['quotes that JSON doubles', '"\\'.repeat(15_000)],
    ['2,450 emoji, which a flow may escape', '😀'.repeat(2_450)],
    ['signs of markup, which a flow may escape', "<&'+>".repeat(1_000)],
  ])('get a message of %s cut, with a link to the rest', async (_name, message) => {
    await start();
    const id = await site.submit({ message, name: '名'.repeat(100) });
    const [received] = await cards(1);
    expect(teams.faults).toEqual([]);
    expect(received?.bytes).toBeLessThan(20_000);
    const escaped = JSON.stringify(received?.card, (_key, value) =>
      typeof value === 'string' ? value.replace(/[^\w\s.,:;/?=()[\]-]/g, '\\uXXXX') : value,
    );
    expect(Buffer.byteLength(escaped)).toBeLessThan(28 * 1024);
    expect(received?.text).toContain(
      `Read all of it in the [staff area](${PUBLIC_URL}/admin?open=${id})`,
    );
    expect(JSON.stringify(received?.card)).not.toContain('\\ud8');
  });
});

describe('a failing flow', () => {
  test.each([
    ['120', 120],
    ['7200', 3600],
    [() => new Date(Date.now() + 120_500).toUTCString(), 120],
    [() => new Date(Date.now() + 7_200_000).toUTCString(), 3600],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['soon', 0],
  ])('is tried again at its Retry-After, %s, within an hour: %i s', async (after, seconds) => {
    await start();
    const retryAfter = () => (typeof after === 'string' ? after : after());
    teams.behaviour = () => ({ status: 429, headers: { 'Retry-After': retryAfter() } });
    const env = { webhookUrl: teams.url, payload: 'envelope', paceMs: 0 } as const;
    const message = { title: 'New message C-1', facts: [], reply: null, staffUrl: PUBLIC_URL };
    const outcome = await postCard(env, message, new AbortController().signal);
    const { retryAfterMs = -1 } = outcome.kind === 'unavailable' ? outcome : {};
    expect(Math.round(retryAfterMs / 10_000) * 10).toBe(seconds);
  });

  /** laravel-notification-channels/microsoft-teams#42: Microsoft asked for one property more. */
  const MISMATCH = '{"error":{"code":"TriggerInputSchemaMismatch","message":"The input body"}}';
  test.each([
    [400, MISMATCH],
    [400, '<html>Bad Request</html>'],
    [401, ''],
    [404, ''],
    [429, ''],
    [500, ''],
  ] as const)('that answers all with %i %s for days loses no card', async (status, body) => {
    await start();
    teams.behaviour = () => ({ status, body });
    await site.submit();
    await expect.poll(() => site.hurry().then(() => teams.tries > MAX_TRIES + 1)).toBe(true);
    teams.behaviour = () => 'accept';
    await site.soonBecomes([{ state: 'accepted' }]);
  });

  test('gets the card again after an error, a broken connection and a lost answer', async () => {
    await start();
    const failures = [{ status: 500 }, 'reset', 'lose the answer'] as const;
    teams.behaviour = () => failures[teams.tries - 1] ?? 'accept';
    const id = await site.submit();
    await site.soonBecomes([{ state: 'accepted', tries: 4, lastAnswer: 'accepted (202)' }]);
    const text = teams.accepted[0]?.text;
    expect(text).toContain(`C-${id}`);
    expect(teams.accepted).toMatchObject([
      { text, answerLost: true },
      { text, answerLost: false },
    ]);
  });

  test('that hangs is given up after five seconds, and the next card is sent', async () => {
    shortenDeadlines();
    await start();
    teams.behaviour = (text) => (text.includes('hang') ? 'hang' : 'accept');
    await site.chat({ conversation: 'one', message: 'hang' });
    await eventually(() => expect(teams.tries).toBe(1));
    await site.chat({ conversation: 'two', message: 'fine' });
    const given = { state: 'waiting', lastAnswer: 'no answer within 5 seconds' };
    await site.becomes([given, { state: 'accepted' }]);
  });

  test.each([
    [
      {
        status: 400,
        body: '{"error":{"code":"TriggerInputSchemaMismatch","message":"?sig=abc"}}',
      },
      'refused (400 TriggerInputSchemaMismatch)',
      'waiting',
    ],
    [{ status: 413, body: '<html>' }, 'refused (413)', 'failed'],
    [
      { status: 302, headers: { Location: 'http://127.0.0.1:1/' } },
      'answered with a redirect (302), which is not followed',
      'waiting',
    ],
    ['reset', 'no connection (ECONNRESET)', 'waiting'],
  ] as const)(
    'answers %j, and staff and the log see why, without the secret',
    async (behaviour, lastAnswer, state) => {
      await start();
      teams.behaviour = () => behaviour;
      const lines = await logged(async () => {
        await site.chat();
        await site.becomes([{ state, lastAnswer }]);
      });
      expect(JSON.stringify(lines)).toContain(lastAnswer);
      expect(JSON.stringify([lines, await site.deliveries()])).not.toContain(SECRET);
    },
  );
});

test('cards keep the configured pace', async () => {
  await start('envelope', { TEAMS_PACE_MS: '300' });
  for (const index of [0, 1, 2]) await site.chat({ conversation: `${index}` });
  await cards(3);
  // The rows hold when each delivery was claimed; arrival times would also measure the machine.
  const claims = (await site.deliveries()).map(({ nextTryAt }) => nextTryAt);
  const [one = 0, two = 0, three = 0] = claims.sort((a, b) => a - b);
  expect(Math.min(two - one, three - two)).toBeGreaterThanOrEqual(300);
});
