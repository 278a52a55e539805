import { expect, test, vi } from 'vitest';
import { logged } from '../../tests/support/logged.ts';
import { logEvent } from './log.server.ts';

test('an attack that causes one event over and over adds 50 lines in ten seconds, and their number', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lines = await logged(() => {
    for (let times = 0; times < 500; times += 1) logEvent('warn', 'attacked');
    logEvent('warn', 'another');
    vi.advanceTimersByTime(10_001);
    logEvent('warn', 'attacked');
  });
  const events = lines.map(({ event, of, lines: left }) => [event, of, left].join(' ').trim());
  expect(events).toEqual([
    ...Array<string>(50).fill('attacked'),
    'another',
    'log-lines-suppressed attacked 450',
    'attacked',
  ]);
});
