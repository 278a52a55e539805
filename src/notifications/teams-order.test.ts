/** Cards arrive in order and at the pace that Teams bears. */
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { FakeTeams } from '../../tests/support/fake-teams.ts';
import { CLOSED, startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';

let teams: FakeTeams;
let site: TestOutbox;

async function start(variables = {}): Promise<void> {
  teams = await FakeTeams.start();
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

test('cards of one conversation come in the order in which they were written, whatever happens to one', {}, async () => {
  await start();
  const failed = new Set<string>();
  teams.behaviour = (text) => {
    const first = text.includes('message 0') && !failed.has('message 0');
    if (first) failed.add('message 0');
    return first ? { status: 503 } : 'accept';
  };
  for (const index of [0, 1, 2]) {
    await site.chat({ conversation: 'a', message: `message ${index}` });
    await site.chat({ conversation: 'b', message: `other ${index}`, createdAt: CLOSED });
  }
  const texts = (await cards(6)).map(({ text }) => /(message|other) \d/.exec(text)?.[0]);
  expect(texts.filter((text) => text?.startsWith('message'))).toEqual([
    'message 0',
    'message 1',
    'message 2',
  ]);
  expect(texts.filter((text) => text?.startsWith('other'))).toEqual([
    'other 0',
    'other 1',
    'other 2',
  ]);
  expect(texts[0]).toBe('other 0');
});

test('at most one card a second is sent, by all instances together', async () => {
  await start({ TEAMS_PACE_MS: '1000' });
  if (site.database.engine === 'postgres') await site.secondInstance();
  for (const index of [0, 1, 2]) await site.chat({ conversation: `${index}` });
  await cards(3);
  // The turn that a delivery took is written in its row; when cards arrive is the machine's affair.
  const delivered = await site.database.db.selectFrom('outbox').select('nextTryAt').execute();
  const turns = delivered.map(({ nextTryAt }) => nextTryAt).sort((a, b) => a - b);
  for (const [index, turn] of turns.slice(1).entries()) {
    expect(turn - (turns[index] ?? 0)).toBeGreaterThanOrEqual(1000);
  }
});
