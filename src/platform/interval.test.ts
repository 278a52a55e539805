import { beforeEach, expect, test, vi } from 'vitest';
import { captureLog } from '../../tests/support/logged.ts';
import { DatabaseUnavailable } from './database/database-unavailable.server.ts';
import { Interval, logFailure } from './interval.server.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

test('work runs at the start and at the interval, but never twice at once', async () => {
  const done: PromiseWithResolvers<void>[] = [];
  const act = vi.fn(() => {
    const one = Promise.withResolvers<void>();
    done.push(one);
    return one.promise;
  });
  const work = new Interval('work-failed', 1_000, act);
  expect(act).not.toHaveBeenCalled();
  work.start();
  expect(act).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(act).toHaveBeenCalledTimes(1);
  done[0]?.resolve();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(act).toHaveBeenCalledTimes(2);
  done[1]?.resolve();
  await work.stop();
});

test('work continues after a fault, which is logged under its name', async () => {
  const log = captureLog();
  const act = vi.fn(async () => {
    throw new Error('no');
  });
  const work = new Interval('work-failed', 1_000, act);
  work.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(act).toHaveBeenCalledTimes(2);
  await work.stop();
  expect(log.lines[0]).toMatchObject({ level: 'error', event: 'work-failed', message: 'no' });
});

test('an event that arrives while the database is unavailable is not acknowledged, so that it is sent again', async () => {
  const away = new DatabaseUnavailable('away');
  await expect(logFailure('event-failed', {}, () => Promise.reject(away))).rejects.toBe(away);
});

test('a stop waits for work in progress', async () => {
  const one = Promise.withResolvers<void>();
  let isStopped = () => false;
  const work = new Interval('work-failed', 1_000, (stopped) => {
    isStopped = stopped;
    return one.promise;
  });
  work.start();
  const ended = vi.fn();
  const stopping = work.stop().then(ended);
  expect(isStopped()).toBe(true);
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).not.toHaveBeenCalled();
  one.resolve();
  await stopping;
});

test('a start after the stop does nothing: the database may be closed', async () => {
  const act = vi.fn(async () => undefined);
  const work = new Interval('work-failed', 1_000, act);
  await work.stop();
  await work.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(act).not.toHaveBeenCalled();
});
