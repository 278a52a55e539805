import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeGraph, GRAPH_SECRET, type GraphBehaviour } from '../../tests/support/fake-graph.ts';
import { logged } from '../../tests/support/logged.ts';
import { DESK } from '../../tests/support/mailbox.ts';
import { shortenDeadlines } from '../../tests/support/short-deadlines.ts';
import { CLOSED, startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import { readEnv } from '../env.server.ts';
import { openMail } from './send-mail.server.ts';

let graph: FakeGraph;
let site: TestOutbox;
beforeEach(async () => {
  graph = await FakeGraph.start();
  site = await startTestOutbox(graph.variables);
});
afterEach(async () => {
  await site.stop();
  expect(graph.faults).toEqual([]);
  await graph.stop();
});

const JANE = 'jane@dealer.example';
const chat = () => site.chat({ createdAt: CLOSED });
/** Whether at least so many tokens were asked for and no email is being sent. */
const triedAndPaused = async (tries: number) =>
  graph.tokenRequests >= tries &&
  (await site.deliveries()).every(({ claimedBy }) => claimedBy === null);

test('staff and a visitor get their emails through Graph, with one token', async () => {
  await site.submit();
  await site.becomes(Array(2).fill({ state: 'accepted', tries: 1, lastAnswer: 'accepted (202)' }));
  const [forStaff] = graph.to(DESK);
  expect(forStaff?.text).toContain('Our phones are down since nine.');
  expect(forStaff?.from).toMatchObject({ name: 'Tidewell', address: 'web@tidewell.example' });
  expect(forStaff?.replyTo).toMatchObject([{ address: JANE }]);
  expect(graph.to(JANE)).toHaveLength(1);
  expect(graph.tokens).toBe(1);
});

test('a visitor who types the user name of our mailbox makes the desk write to itself never', async () => {
  await site.stop();
  graph.user = 'website@tidewell.onmicrosoft.example';
  site = await startTestOutbox({ ...graph.variables, GRAPH_MAILBOX: graph.user });
  await site.submit({ email: graph.user });
  await site.becomes([{ state: 'accepted', channel: 'mail-staff' }]);
  expect(graph.to(DESK)[0]?.text).toContain(`${graph.user} is our own address`);
});

test.each<GraphBehaviour>([
  { status: 429, code: 'ErrorExceededMessageLimit' },
  { status: 400, code: 'ErrorMessageSubmissionBlocked' },
  { status: 400, code: 'ErrorSubmissionQuotaExceeded' },
  { status: 400, code: 'ErrorAccountSuspend' },
])('what Exchange says of the account that sends, %j, is no try of any mail', async (behaviour) => {
  graph.behaviour = () => behaviour;
  await site.submit();
  await site.becomes(Array(2).fill({ state: 'waiting', tries: 0, lastAnswer: expect.any(String) }));
  graph.behaviour = () => 'accept';
  await site.soonBecomes(Array(2).fill({ state: 'accepted', tries: 1 }));
});

describe('a token', () => {
  test('that has come to its end is replaced before the next email', async () => {
    graph.expiresIn = 0;
    await chat();
    await chat();
    await site.soonBecomes(Array(2).fill({ state: 'accepted', tries: 1 }));
    expect([graph.tokens, graph.tries]).toEqual([2, 2]);
  });

  test.each(['3599', undefined])('that lasts for %j seconds is used', async (expiresIn) => {
    graph.expiresIn = expiresIn;
    await chat();
    await site.becomes([{ state: 'accepted', tries: 1 }]);
  });

  test('that was withdrawn is replaced once, in the same try', async () => {
    await chat();
    await site.becomes([{ state: 'accepted' }]);
    graph.withdrawTokens();
    await chat();
    await site.soonBecomes(Array(2).fill({ state: 'accepted', tries: 1 }));
    expect([graph.tokens, graph.tries]).toEqual([2, 3]);
  });

  test('that is refused though it is new pauses the channel', async () => {
    graph.behaviour = () => ({ status: 401, code: 'InvalidAuthenticationToken' });
    await chat();
    await chat();
    await site.becomes([
      { state: 'waiting', tries: 0, lastAnswer: expect.stringMatching(/must belong to one cloud/) },
      { state: 'waiting', lastAnswer: null },
    ]);
    expect([graph.tokens, graph.tries]).toEqual([2, 2]);
  });
});

/** Failures of the channel, which do not count as tries. */
const PAUSED = { state: 'waiting', tries: 0 };
const TRIED = { state: 'waiting', tries: 1 };
const FAILED = { state: 'failed' };

describe('staff read why an email has not left, and nobody reads the secret:', () => {
  test.each<[GraphBehaviour, RegExp, object]>([
    [{ status: 403, code: 'ErrorAccessDenied' }, /Mail\.Send .*403, ErrorAccessDenied/, PAUSED],
    [{ status: 404, code: 'ErrorInvalidUser' }, /no mailbox .*GRAPH_MAILBOX.*404/, PAUSED],
    [{ status: 507, code: 'ErrorQuotaExceeded' }, /mailbox is full/, PAUSED],
    [{ status: 429 }, /^not sent \(429, f00d-1\)$/, PAUSED],
    [{ status: 503, code: GRAPH_SECRET }, /^not sent \(503, f00d-1\)$/, PAUSED],
    ['talk without end', /^not sent \(503\)$/, PAUSED],
    [{ status: 500, code: 'InternalServerError' }, /^not sent \(500, Internal/, TRIED],
    [{ status: 200 }, /^not sent \(200/, TRIED],
    [{ status: 307, headers: { Location: 'http://127.0.0.1:1/' } }, /^not sent \(307/, TRIED],
    ['reset', /^no connection \(/, TRIED],
    [{ status: 400, code: 'ErrorInvalidRecipients' }, /^refused \(400, ErrorInv/, FAILED],
    [{ status: 413, code: 'RequestEntityTooLarge' }, /^refused \(413/, FAILED],
  ])('Graph answers %j', async (behaviour, words, expected) => {
    graph.behaviour = () => behaviour;
    await expectAnswer(words, expected);
  });

  test.each<[GraphBehaviour, RegExp]>([
    [
      { status: 401, code: 7000222 },
      /^The client secret has expired\. Make a new one in Entra and set GRAPH_CLIENT_SECRET\. \(401, invalid_client, AADSTS7000222\)$/,
    ],
    [{ status: 401, code: 7000215 }, /^The client secret is wrong\. Copy its value \(not its id\)/],
    [{ status: 400, code: 700016 }, /GRAPH_CLIENT_ID/],
    [{ status: 400, code: 90002 }, /^There is no such tenant\. Set GRAPH_TENANT_ID\./],
    [{ status: 401, code: 1 }, /^Microsoft gives no token\. \(401, invalid_client, AADSTS1\)$/],
    [{ status: 200 }, /^Microsoft gives no token\. \(200\)$/],
    [{ status: 307, headers: { Location: 'http://127.0.0.1:1/' } }, /no token\. \(307\)$/],
    ['talk without end', /no token\. \(503\)$/],
    ['reset', /^no connection \(/],
    ['hang', /^no answer within 5 seconds$/],
  ])('the login answers %j', async (behaviour, words) => {
    shortenDeadlines();
    graph.loginBehaviour = () => behaviour;
    await expectAnswer(words, PAUSED);
    expect(graph.tries).toBe(0);
  });

  async function expectAnswer(words: RegExp, expected: object): Promise<void> {
    const lines = await logged(async () => {
      await chat();
      await site.becomes([{ ...expected, lastAnswer: expect.stringMatching(words) }]);
    });
    const seen = JSON.stringify([lines, await site.deliveries()]);
    expect(seen).not.toContain(GRAPH_SECRET);
    expect(seen).not.toContain('token-');
  }
});

test('nothing is sent before Graph’s Retry-After, and no longer than an hour is waited', async () => {
  graph.behaviour = () => ({ status: 429, headers: { 'Retry-After': '7200' } });
  await chat();
  await site.becomes([PAUSED]);
  await expect.poll(async () => (await site.deliveries())[0]?.lastAnswer).toContain('429');
  const [{ nextTryAt } = { nextTryAt: 0 }] = await site.deliveries();
  expect(nextTryAt - Date.now()).toBeGreaterThan(59 * 60_000);
  expect(nextTryAt - Date.now()).toBeLessThanOrEqual(60 * 60_000);
});

test('emails that a wrong secret has held up leave in their order once it is right', async () => {
  graph.loginBehaviour = () => ({ status: 401, code: 7000222 });
  const ids: number[] = [];
  for (const conversation of ['1', '2', '3'])
    ids.push(await site.chat({ createdAt: CLOSED, conversation }));
  for (let tries = 1; tries <= 14; tries += 1) {
    await expect.poll(() => triedAndPaused(tries)).toBe(true);
    await site.hurry();
  }
  await expect.poll(() => triedAndPaused(15)).toBe(true);
  graph.loginBehaviour = () => 'accept';
  await site.soonBecomes(Array(3).fill({ state: 'accepted', tries: 1 }));
  const subjects = graph.mails.map(({ subject = '' }) => /T-\d+/.exec(subject)?.[0]);
  expect(subjects).toEqual(ids.map((id) => `T-${id}`));
});

function sendText(text: string, variables = {}) {
  const { mail } = readEnv({ ...graph.variables, ...variables });
  if (!mail) throw new Error('no mail is configured');
  const sender = openMail(mail, null);
  return sender.send(
    {
      ...{ to: JANE, subject: '', text },
      ...{ replyTo: mail.to, isAutomatic: true, key: 'x', date: CLOSED },
    },
    AbortSignal.timeout(sender.deadlineMs),
  );
}

test('a message whose lines end in every way reaches Exchange, which takes CR LF alone', async () => {
  await site.submit({ message: 'one\ntwo\rthree\r\nfour\v\n\r\n' });
  await site.becomes(Array(2).fill({ state: 'accepted', tries: 1 }));
  expect(graph.to(DESK)[0]?.text).toContain('> one\n> two\n> three\n> four\n');
});

test('a mailbox whose user name is not its address sends under the address', async () => {
  graph.user = 'web@tidewell.onmicrosoft.example';
  expect(await sendText('')).toMatchObject({ answer: expect.stringContaining('GRAPH_MAILBOX') });
  expect(await sendText('', { GRAPH_MAILBOX: graph.user })).toMatchObject({ kind: 'accepted' });
  expect(graph.mails.map(({ from }) => from?.address)).toEqual(['web@tidewell.example']);
});

test('an email that is too large for Graph is not sent at all', async () => {
  const outcome = await sendText('x'.repeat(4_000_000));
  expect(outcome).toEqual({ kind: 'refused', answer: 'too large: Microsoft Graph takes 4 MB' });
  expect([graph.tokens, graph.tries]).toEqual([0, 0]);
});

test('at most thirty emails leave in a minute, or Exchange would drop some', async () => {
  for (const conversation of ['1', '2']) await site.chat({ createdAt: CLOSED, conversation });
  await site.becomes(Array(2).fill({ channel: 'mail-staff', state: 'accepted' }));
  // The rows hold when each delivery was claimed; arrival times would also measure the machine.
  const [first = 0, second = 0] = (await site.deliveries()).map(({ nextTryAt }) => nextTryAt);
  // As many go to customers.
  expect(Math.ceil(60_000 / (second - first))).toBeLessThanOrEqual(15);
});
