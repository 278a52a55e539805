/** The browser's side of the test gateway: which token a number stands for, and what is made of the answers. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  answerTestPayment,
  confirmTestPayment,
  retrieveTestPayment,
  testToken,
} from './test-payments.ts';

test.each([
  ['4242424242424242', 'succeeds'],
  ['4111111111111111', 'succeeds'],
  ['5555555555554444', 'succeeds'],
  ['6011111111111117', 'succeeds'],
  ['3566002020360505', 'succeeds'],
  ['4000000000000002', 'declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000002500003155', 'asks'],
  ['4539148803436467', undefined],
  ['', undefined],
])('the test card %s stands for %s', (number, token) => {
  expect(testToken(number)).toBe(token);
});

describe('the test gateway', () => {
  const send = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();
  beforeEach(() => vi.stubGlobal('fetch', send));
  afterEach(() => {
    vi.unstubAllGlobals();
    send.mockReset();
  });

  const says = (json: object, status = 200) =>
    send.mockResolvedValue(new Response(JSON.stringify(json), { status }));
  const asked = () => {
    const [path, { method, body } = {}] = send.mock.lastCall ?? [];
    return [method, path, JSON.parse(String(body))];
  };

  test('is told the token of a card, and says how it went', async () => {
    says({ status: 'requires_payment_method', message: 'Your card was declined.' });
    expect(await confirmTestPayment('s', 'declined')).toEqual({
      status: 'requires_payment_method',
      message: 'Your card was declined.',
    });
    const body = { clientSecret: 's', token: 'declined' };
    expect(asked()).toEqual(['POST', '/api/test-payments/confirm', body]);
  });

  test('is told the answer to the question of the bank', async () => {
    says({ status: 'succeeded' });
    expect(await answerTestPayment('s', false)).toEqual({ status: 'succeeded', message: '' });
    const body = { clientSecret: 's', approve: false };
    expect(asked()).toEqual(['POST', '/api/test-payments/answer', body]);
  });

  test('says where a payment stands', async () => {
    says({ status: 'requires_action' });
    expect(await retrieveTestPayment('s')).toBe('requires_action');
    expect(asked()).toEqual(['POST', '/api/test-payments/retrieve', { clientSecret: 's' }]);
  });

  test.each([404, 400])('does not know a payment when it answers %i', async (status) => {
    says({ message: 'Payment not found' }, status);
    expect(await confirmTestPayment('s', 'asks')).toBe('unknown');
    says({ message: 'Payment not found' }, status);
    expect(await retrieveTestPayment('s')).toBe('unknown');
    says({ message: 'Payment not found' }, status);
    await expect(answerTestPayment('s', true)).rejects.toThrow(`${status}`);
  });

  test('does not say so when it fails, or cannot be reached', async () => {
    says({}, 500);
    await expect(retrieveTestPayment('s')).rejects.toThrow('500');
    send.mockRejectedValue(Object.assign(new TypeError('offline'), { status: 404 }));
    await expect(retrieveTestPayment('s')).rejects.toThrow('offline');
  });
});
