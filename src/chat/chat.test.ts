import { describe, expect, test, vi } from 'vitest';
import { tablesWith } from '../../tests/support/every-row.ts';
import { DESK } from '../../tests/support/mailbox.ts';
import { notifiedSite } from '../../tests/support/notified-site.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { storedMessages } from '../../tests/support/stored-messages.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import { CLOSED, OPEN } from '../../tests/support/test-outbox.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { MAX_CHAT_MESSAGES } from '../limits.ts';
import { addEntry } from '../threads/thread-store.server.ts';
import { replyAt, replyInWords } from './automatic-reply.server.ts';
import { CORRECTED } from './chat.ts';

const app = sharedTestApp(OWN_PASSWORD);

const send = (body: unknown) => app.visitor().post('/api/teams-chat', body);
const stored = () => storedMessages(app, 'chat');
const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() });
/** The same browser, whose answers are lost or come to another tab. */
const copyOf = (visitor: Visitor) =>
  Object.assign(app.visitor(), { cookies: new Map(visitor.cookies) });
/** What the visitor has written, as this browser may read it. */
async function textsOf(visitor: Visitor): Promise<string[]> {
  const { entries } = (await visitor.get('/api/chat/conversation')).json;
  return entries.flatMap(({ kind, text }: { kind: string; text: string }) =>
    kind === 'visitor' ? [text] : [],
  );
}

describe('a chat message', () => {
  test('is saved with its reply, and answered with that reply and a reference', async () => {
    const ann = { name: 'Ann Moore', email: 'ann@lakeside.example' };
    const { status, json } = await send({ message: ' Do you support Reynolds? ', ...ann });
    const row = (await stored()).at(-1);
    expect([status, json]).toEqual([
      200,
      { response: expect.any(String), reference: `T-${row?.id}` },
    ]);
    expect(row).toMatchObject({ ...ann, message: 'Do you support Reynolds?', status: 'new' });
    expect(json.response).toMatch(/^Thank you, Ann\. .* We’ll answer here\./s);
  });

  test('needs no name and no email', async () => {
    for (const who of [{}, { name: '', email: '' }, { name: null, email: null }]) {
      const { status, json } = await send({ message: 'Hello', ...who });
      expect(status).toBe(200);
      expect(json.response).toMatch(/^Thank you\. /);
      expect((await stored()).at(-1)).toMatchObject({ name: null, email: null });
    }
  });

  test('joins its browser’s conversation for 30 days; another browser starts its own', async () => {
    const visitor = app.visitor();
    const first = await visitor.post('/api/teams-chat', { message: 'One' });
    expect(first.headers.get('set-cookie')).toMatch(
      /^chat=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    await visitor.post('/api/teams-chat', { message: 'Two' });
    await send({ message: 'Three' });
    const [one, two, three] = (await stored()).slice(-3);
    expect(two?.conversation).toBe(one?.conversation);
    expect(three?.conversation).not.toBe(one?.conversation);
  });

  test('sent again because its answer was lost is saved once, and its browser reads on', async () => {
    const visitor = app.visitor();
    await visitor.post('/api/teams-chat', { message: 'Before' });
    const [headers, next] = [newKey(), newKey()];
    const lost = copyOf(visitor);
    const first = await lost.post('/api/teams-chat', { message: 'Once' }, headers);
    const again = await visitor.post('/api/teams-chat', { message: 'Once' }, headers);
    expect([again.json, again.headers.get('set-cookie')]).toEqual([first.json, null]);
    await visitor.post('/api/teams-chat', { message: 'Twice' }, next);
    expect(await textsOf(visitor)).toEqual(['Before', 'Once', 'Twice']);
  });

  test('sent again under a key of another text or of a colleague is refused', async () => {
    const visitor = app.visitor();
    const headers = newKey();
    await visitor.post('/api/teams-chat', { message: 'Once' }, headers);
    expect((await visitor.post('/api/teams-chat', { message: 'Other' }, headers)).status).toBe(409);
    const thread = Number((await stored()).at(-1)?.conversation);
    const key = headers['Idempotency-Key'];
    const noted = newKey();
    const note = { kind: 'note', text: 'Once', after: 1, key: noted['Idempotency-Key'] };
    const staff = await app.staff();
    const path = `/api/admin/threads/${thread}/entries`;
    expect((await staff.post(path, note)).status).toBe(200);
    for (const message of ['Once', 'Other'])
      expect((await visitor.post('/api/teams-chat', { message }, noted)).status).toBe(409);
    const { status, json } = await staff.post(path, { ...note, key });
    expect([status, json.thread.id]).toEqual([409, thread]);
    expect((await staff.post(path, { ...note, text: 'Other' })).status).toBe(409);
    expect((await staff.post(path, note)).status).toBe(200);
  });

  test('sent twenty times at the same moment is one, and each request has its answer', async () => {
    const headers = newKey();
    const before = (await stored()).length;
    const visitors = Array.from({ length: 20 }, () => app.visitor());
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.post('/api/teams-chat', { message: 'At once' }, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ json }) => json.reference)).size).toBe(1);
    expect(await stored()).toHaveLength(before + 1);
    for (const visitor of visitors) expect(await textsOf(visitor)).toEqual(['At once']);
  });

  describe('that began a conversation, sent again from a browser without a key,', () => {
    const begin = async () => {
      const [visitor, headers] = [app.visitor(), newKey()];
      const first = await visitor.post('/api/teams-chat', { message: 'First' }, headers);
      const repeat = async (message = 'First') => {
        const other = app.visitor();
        const { status, json } = await other.post('/api/teams-chat', { message }, headers);
        expect([status, json]).toEqual([200, first.json]);
        return textsOf(other);
      };
      return { visitor, repeat, thread: Number((await stored()).at(-1)?.conversation) };
    };

    test('brings the same key as the answer that was lost', async () => {
      const { visitor, repeat } = await begin();
      expect(await repeat()).toEqual(['First']);
      await visitor.post('/api/teams-chat', { message: 'Second' });
      expect(await textsOf(visitor)).toEqual(['First', 'Second']);
    });

    test.each([
      [
        'after another message, by another name,',
        ({ visitor }: { visitor: Visitor }) =>
          visitor.post('/api/teams-chat', { message: 'Hers', name: 'Bea', email: 'bea@a.example' }),
      ],
      [
        'after an answer of staff',
        async ({ thread }: { thread: number }) =>
          addEntry(app.database.db, {
            threadId: thread,
            kind: 'staff',
            text: 'Yes.',
            authorId: 1,
          }),
      ],
      ['after its end', ({ visitor }: { visitor: Visitor }) => visitor.post('/api/chat/end')],
      [
        'after five minutes',
        async () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_001 }),
      ],
    ])('%s brings its answer alone', async (_when, happens) => {
      const begun = await begin();
      await happens(begun);
      expect(await begun.repeat()).toEqual([]);
      vi.useRealTimers();
    });
  });

  test('on its way while the conversation is ended reaches staff, and opens nothing again', async () => {
    const visitor = app.visitor();
    await visitor.post('/api/teams-chat', { message: 'One' });
    const other = copyOf(visitor);
    await visitor.post('/api/chat/end');
    const { status, headers } = await other.post('/api/teams-chat', { message: 'Late' });
    expect([status, headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^chat=; Max-Age=0/),
    ]);
    expect(await textsOf(copyOf(other))).toEqual([]);
    const [one, late] = (await stored()).slice(-2);
    expect(late).toMatchObject({ message: 'Late' });
    expect(late?.conversation).not.toBe(one?.conversation);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const tab = app.visitor();
        await tab.post('/api/teams-chat', { message: 'Two tabs' });
        const second = copyOf(tab);
        const thread = Number((await stored()).at(-1)?.conversation);
        await Promise.all([
          tab.post('/api/chat/end'),
          second.post('/api/teams-chat', { message: 'At the same moment' }),
        ]);
        expect(await textsOf(second)).toEqual([]);
        return thread;
      }),
    );
    const open = app.database.db.selectFrom('threads').select('id').where('endedAt', 'is', null);
    const ofTabs = open.where('id', 'in', (eb) =>
      eb.selectFrom('entries').select('threadId').where('text', '=', 'Two tabs'),
    );
    expect(await ofTabs.execute()).toEqual([]);
  });

  test('from another address at the same computer starts a new conversation, whatever the name', async () => {
    const visitor = app.visitor();
    const write = async (name: string, email: string, headers = {}) => {
      await visitor.post('/api/teams-chat', { message: 'Hello', name, email }, headers);
      return (await stored()).at(-1)?.conversation;
    };
    const first = await write('Ann', 'ann@lakeside.example');
    expect(await write('Ann Lee', 'ANN@lakeside.example')).toBe(first);
    expect((await visitor.post('/api/teams-chat', { message: 'No name' })).status).toBe(200);
    expect(await write('ann lee', 'ann@lake.example', CORRECTED)).toBe(first);
    const second = await write('Ann Lee', 'ann@garage.example');
    expect(second).not.toBe(first);
    expect(await write('Ann Lee', 'ann@garage.example')).toBe(second);
    expect(await write('Bo', 'bo@garage.example', CORRECTED)).not.toBe(second);
  });

  test('with a corrected address leaves none of the mistyped one, which may be another person’s', async () => {
    const visitor = app.visitor();
    for (const email of ['typo@lakeside.example', 'ann@lakeside.example'])
      await visitor.post('/api/teams-chat', { message: 'Hello', name: 'Ann', email }, CORRECTED);
    expect(await tablesWith(app.database, 'typo@lakeside.example')).toEqual([]);
  });

  /** A visitor who has written as many messages, and the conversation. */
  async function writes(count: number) {
    const visitor = app.visitor();
    await visitor.post('/api/teams-chat', { message: 'One' });
    const threadId = Number((await stored()).at(-1)?.conversation);
    const messages = Array.from({ length: count - 1 }, (_, n) => {
      return { threadId, kind: 'visitor', text: `${n}`, at: Date.now() } as const;
    });
    await app.database.db.insertInto('entries').values(messages).execute();
    return { visitor, threadId };
  }

  test('after five hundred others goes on in another conversation', async () => {
    const { visitor, threadId } = await writes(MAX_CHAT_MESSAGES - 1);
    const conversation = async (message: string) => {
      await visitor.post('/api/teams-chat', { message });
      return (await stored()).at(-1)?.conversation;
    };
    expect(await conversation('The last')).toBe(threadId);
    expect(await conversation('The next')).not.toBe(threadId);
    expect(await textsOf(visitor)).toEqual(['The next']);
  });

  test('with a forged cookie starts a new conversation', async () => {
    const visitor = app.visitor();
    visitor.cookies.set('chat', '1');
    expect((await visitor.post('/api/teams-chat', { message: 'Hi' })).status).toBe(200);
    expect(visitor.cookies.get('chat')).toMatch(/^[\w-]{43}$/);
  });

  test.each([
    [{ message: ' \n ' }, 'message', 'Message is required'],
    [{ message: 'x'.repeat(2001) }, 'message', 'Please use at most 2000 characters'],
    [{ message: 'Hi', email: 'ann@x' }, 'email', 'Please enter a valid email address'],
  ])('with %j is refused and not saved', async (body, path, message) => {
    const before = await stored();
    const { status, json } = await send(body);
    expect([status, json]).toEqual([400, { message, errors: [{ path, message }] }]);
    expect(await stored()).toEqual(before);
  });

  test('that looks like spam is answered as usual and marked for staff', async () => {
    const { status, json } = await send({ message: '[url=https://x.example]x[/url]' });
    expect([status, Object.keys(json)]).toEqual([200, ['response', 'reference']]);
    expect((await stored()).at(-1)?.status).toBe('spam');
  });
});

const content = ownContent();
const { company } = content;
const anonymous = { name: null, email: null };
function replyOn(
  moment: string,
  who: { name: string | null; email: string | null } = anonymous,
  mail = true,
  minutes?: number,
) {
  const soon = minutes ? { minutes } : null;
  const data = JSON.stringify(replyAt(company, Date.parse(moment), soon, mail));
  return replyInWords({ content, company }, data, who);
}

describe('the automatic reply in the chat', () => {
  test('says until when the desk is open, and how the answer will come', () => {
    const noon = '2026-03-18T12:30:00-04:00';
    const open = 'Our support desk is open until 5:30 PM ET. We’ll answer here.';
    expect(replyOn(noon)).toBe(
      `Thank you. ${open} If you can’t stay, send us your email address or call (800) 555-0199.`,
    );
    const ann = { name: 'Ann Moore', email: 'ann@lakeside.example' };
    expect(replyOn(noon, ann)).toBe(
      `Thank you, Ann. ${open} If you leave, we’ll email ann@lakeside.example.`,
    );
    expect(replyOn(noon, ann, false)).toBe(
      `Thank you, Ann. ${open} If you can’t wait, call (800) 555-0199.`,
    );
  });

  test('promises how soon staff answer while the desk is open, and nothing over an hour', () => {
    const [noon, evening] = ['2026-03-18T12:30:00-04:00', '2026-03-18T18:00:00-04:00'];
    const promised = (moment: string, minutes: number) =>
      /usually answer within (\d+) minutes/.exec(replyOn(moment, anonymous, true, minutes))?.[1];
    expect([promised(noon, 6), promised(noon, 90), promised(evening, 6)]).toEqual([
      '10',
      undefined,
      undefined,
    ]);
  });

  test('comes once an hour, and not within ten minutes of a person’s answer', async () => {
    const visitor = app.visitor();
    const began = Date.now();
    const repliesAfter = async (minutes: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: began + minutes * 60_000 });
      const { json } = await visitor.post('/api/teams-chat', { message: 'Hello' });
      const { entries } = (await visitor.get('/api/chat/conversation')).json;
      const replies = entries.filter(({ kind }: { kind: string }) => kind === 'reply');
      return [replies.length, json.response !== ''];
    };
    expect(await repliesAfter(0)).toEqual([1, true]);
    expect(await repliesAfter(59)).toEqual([1, false]);
    const threadId = Number((await stored()).at(-1)?.conversation);
    const answer = { threadId, kind: 'staff', text: 'Yes.', authorId: 1 } as const;
    await addEntry(app.database.db, { ...answer, at: began + 55 * 60_000 });
    expect(await repliesAfter(64)).toEqual([1, false]);
    expect(await repliesAfter(66)).toEqual([2, true]);
    vi.useRealTimers();
  });

  test.each([
    ['before the desk opens', '2026-03-18T08:29:59-04:00', 'today at 8:30 AM ET'],
    ['in the evening', '2026-03-18T17:30:00-04:00', 'tomorrow at 8:30 AM ET'],
    ['on a Friday evening', '2026-03-20T18:00:00-04:00', 'on Monday at 8:30 AM ET'],
    ['on the eve of Thanksgiving', '2026-11-25T18:00:00-05:00', 'on Friday at 8:30 AM ET'],
    ['on Thanksgiving', '2026-11-26T12:00:00-05:00', 'tomorrow at 8:30 AM ET'],
  ])('%s says when the desk opens', (_, moment, opening) => {
    expect(replyOn(moment)).toContain(
      `Thank you. We’re closed right now. Our support desk opens ${opening}. We’ll answer here`,
    );
  });
});

describe('staff get a chat message', () => {
  const sendAt = (now: number, site: ReturnType<typeof notifiedSite>, who: object) => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    return site.app.visitor().post('/api/teams-chat', { message: 'Is anybody there?', ...who });
  };

  describe('with Teams', () => {
    const site = notifiedSite();
    test('there, and outside business hours also by email', async () => {
      const { json } = await sendAt(CLOSED, site, { name: 'Ann', email: 'ann@lakeside.example' });
      await sendAt(OPEN, site, {});
      await site.allAccepted();
      const channels = (await site.deliveries()).map(({ channel }) => channel);
      expect(channels.sort()).toEqual(['mail-staff', 'teams', 'teams']);
      expect(site.mailbox.to(DESK)).toMatchObject([
        {
          subject: `New chat message ${json.reference}, Ann`,
          text: expect.stringContaining('Sunday, November 22, 2026 at 12:00 PM EST'),
        },
      ]);
    });
  });

  describe('without Teams', () => {
    const site = notifiedSite('each test', { TEAMS_WEBHOOK_URL: '' });
    test('by email at any hour; without a visitor’s address, replies go to the company', async () => {
      const { json } = await sendAt(OPEN, site, {});
      await site.allAccepted();
      expect(site.mailbox.to(DESK)).toMatchObject([
        {
          subject: expect.stringContaining(`New chat message ${json.reference}`),
          replyTo: [{ address: ownContent().company.email }],
        },
      ]);
    });
  });
});
