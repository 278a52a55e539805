/** Stripe is asked again where that may help, as long as somebody waits for the answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { patientFetch, pauseAfter, pauseAfterFault, spread } from './patient-fetch.server.ts';

const ADDRESS = 'https://api.stripe.com/v1/customers';
/** For how long a caller waits. */
const PATIENCE_MS = 7_000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('before the next try, Stripe is left alone', () => {
  const pauseFor = (status: number, headers: Record<string, string> = {}, tries = 1) =>
    pauseAfter(new Response('', { status, headers }), tries);
  const retry = (advice: string) => ({ 'stripe-should-retry': advice });

  test('for longer after the second fault, and no third time', () => {
    expect([1, 2, 3].map(pauseAfterFault)).toEqual([250, 500, undefined]);
    expect([1, 2, 3].map((tries) => pauseFor(500, {}, tries))).toEqual([250, 500, undefined]);
    expect(pauseFor(503)).toBe(250);
  });

  test.each([200, 399, 400, 404, 499])('not at all after %i, which is its last word', (status) => {
    expect(pauseFor(status)).toBeUndefined();
  });

  test('as it advises itself', () => {
    expect(pauseFor(400, retry('true'))).toBe(250);
    expect(pauseFor(400, retry('false'))).toBeUndefined();
    expect(pauseFor(500, retry('false'))).toBeUndefined();
    expect(pauseFor(399, retry('true'))).toBeUndefined();
  });

  test('until an earlier try is through', () => {
    expect([1, 3].map((tries) => pauseFor(409, {}, tries))).toEqual([500, 500]);
  });

  test.each([
    [{}, 1000],
    [{ 'retry-after': '1' }, 1000],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': 'soon' }, 1000],
  ])('when it is busy, for as long as it says: %j', (headers, ms) => {
    expect(pauseFor(429, headers)).toBe(ms);
    expect(pauseFor(429, headers, 2)).toBeUndefined();
  });

  test('for up to a quarter more', () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.5);
    expect([spread(200), spread(200)]).toEqual([200, 225]);
  });
});

describe('a request', () => {
  const send = vi.fn<typeof fetch>();
  /** As the caller's clock shows it. */
  let now = 0;
  beforeEach(() => {
    now = 1_000;
    send.mockReset();
    vi.stubGlobal('fetch', send);
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });

  /** A try that takes so long and fails. */
  const failsAfter = (ms: number) =>
    send.mockImplementationOnce(async () => {
      now += ms;
      throw new TypeError('lost');
    });

  test('is sent again as it was, and its answer is whole', async () => {
    const headers = { 'request-id': 'req_1' };
    send.mockRejectedValueOnce(new TypeError('lost'));
    send.mockResolvedValueOnce(new Response('fault', { status: 500 }));
    send.mockResolvedValueOnce(new Response('{"id":1}', { status: 201, headers }));
    const answer = await patientFetch(ADDRESS, { method: 'POST', body: 'a=1' });
    expect([answer.status, answer.headers.get('request-id')]).toEqual([201, 'req_1']);
    expect(await answer.json()).toEqual({ id: 1 });
    const request = { method: 'POST', body: 'a=1', redirect: 'manual' };
    expect(send.mock.calls).toMatchObject(Array(3).fill([ADDRESS, request]));
  });

  test('that fails three times has failed', async () => {
    send.mockRejectedValue(new TypeError('lost'));
    await expect(patientFetch(ADDRESS)).rejects.toThrow('lost');
    expect(send).toHaveBeenCalledTimes(3);
    send.mockReset().mockImplementation(async () => new Response('fault', { status: 500 }));
    expect((await patientFetch(ADDRESS)).status).toBe(500);
    expect(send).toHaveBeenCalledTimes(3);
  });

  test('that is answered is not sent again', async () => {
    send.mockResolvedValue(new Response('no', { status: 404 }));
    expect(await (await patientFetch(ADDRESS)).text()).toBe('no');
    expect(send).toHaveBeenCalledTimes(1);
  });

  test('fails with an error, whatever was thrown', async () => {
    send.mockRejectedValue('in words');
    failsAfter(PATIENCE_MS);
    await expect(patientFetch(ADDRESS)).rejects.toThrow('lost');
    send.mockReset().mockImplementation(() => {
      now += PATIENCE_MS;
      return Promise.reject('in words');
    });
    await expect(patientFetch(ADDRESS)).rejects.toThrow('in words');
  });

  test('has three seconds for one try, and what is left for the last', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    failsAfter(3_000);
    failsAfter(3_000.5);
    send.mockResolvedValueOnce(new Response('late'));
    expect(await (await patientFetch(ADDRESS)).text()).toBe('late');
    expect(timeout.mock.calls.flat()).toEqual([3_000, 3_000, 1_000]);
    expect(send.mock.lastCall?.[1]?.signal).toBe(timeout.mock.results.at(-1)?.value);
  });

  test('is not sent again when nobody would wait for the answer', async () => {
    failsAfter(PATIENCE_MS - 250);
    await expect(patientFetch(ADDRESS)).rejects.toThrow('lost');
    failsAfter(PATIENCE_MS - 251);
    send.mockResolvedValueOnce(new Response('in time'));
    expect(await (await patientFetch(ADDRESS)).text()).toBe('in time');
  });

  test('is given up when the pause took too long', async () => {
    failsAfter(PATIENCE_MS - 251);
    const asked = expect(patientFetch(ADDRESS)).rejects.toThrow('nobody waits');
    await pause(50);
    now = 1_000 + PATIENCE_MS;
    await asked;
    expect(send).toHaveBeenCalledTimes(1);
  });
});
