import { describe, expect, test, vi } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { tablesWith } from '../../tests/support/every-row.ts';
import { DESK } from '../../tests/support/mailbox.ts';
import { notifiedSite } from '../../tests/support/notified-site.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { storedMessages } from '../../tests/support/stored-messages.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import { CLOSED, OPEN } from '../../tests/support/test-outbox.ts';
import { tokenHash } from '../platform/http/cookies.server.ts';
import { automaticReply, receiveChatMessage } from './chat-message.server.ts';

const app = sharedTestApp(OWN_PASSWORD);

const send = (body: unknown) => app.visitor().post('/api/teams-chat', body);
const stored = () => storedMessages(app, 'chat');

describe('a chat message', () => {
  test('is saved with its reply, and answered with that reply and a reference', async () => {
    const ann = { name: 'Ann', email: 'ann@lakeside.example' };
    const { status, json } = await send({ message: ' Do you support Reynolds? ', ...ann });
    const row = (await stored()).at(-1);
    const { db } = app.database;
    const replies = db.selectFrom('entries').select('text').where('kind', '=', 'reply');
    const reply = await replies.orderBy('id', 'desc').executeTakeFirst();
    expect([status, json]).toEqual([200, { response: reply?.text, reference: `T-${row?.id}` }]);
    expect(row).toMatchObject({ ...ann, message: 'Do you support Reynolds?', mark: 'new' });
    expect(json.response).toMatch(/^Thank you, Ann\..*ann@lakeside\.example\.$/s);
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
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const lost = Object.assign(app.visitor(), { cookies: new Map(visitor.cookies) });
    const first = await lost.post('/api/teams-chat', { message: 'Once' }, headers);
    const again = await visitor.post('/api/teams-chat', { message: 'Once' }, headers);
    expect(again.json).toEqual(first.json);
    const { json } = await visitor.get('/api/chat/conversation');
    const texts = json.entries.map(({ text }: { text: string }) => text);
    expect(texts.filter((text: string) => text === 'Once')).toHaveLength(1);
    expect(texts).toContain('Before');
    expect((await visitor.post('/api/teams-chat', { message: 'Other' }, headers)).status).toBe(409);
  });

  test('by another person at the same computer starts a new conversation; one who corrects a name or an address does not', async () => {
    const visitor = app.visitor();
    const write = async (name: string, email: string) => {
      await visitor.post('/api/teams-chat', { message: 'Hello', name, email });
      return (await stored()).at(-1)?.conversation;
    };
    const first = await write('Ann', 'ann@lakeside.example');
    expect(await write('Ann Lee', 'ANN@lakeside.example')).toBe(first);
    expect(await write('ann lee', 'ann@lake.example')).toBe(first);
    expect((await visitor.post('/api/teams-chat', { message: 'No name' })).status).toBe(200);
    const second = await write('Bo', 'bo@garage.example');
    expect(second).not.toBe(first);
    expect(await write('Bo', 'bo@garage.example')).toBe(second);
  });

  test('brings a new key each time, so that one that was planted in the browser opens nothing written later', async () => {
    const visitor = app.visitor();
    await visitor.post('/api/teams-chat', { message: 'Planted' });
    const planted = visitor.cookies.get('chat') ?? '';
    await visitor.post('/api/teams-chat', { message: 'Written later' });
    const stranger = app.visitor();
    stranger.cookies.set('chat', planted);
    await stranger.post('/api/teams-chat', { message: 'May I read it?' });
    const [later, strangers] = (await stored()).slice(-2);
    expect(strangers?.conversation).not.toBe(later?.conversation);
    const keys = await app.database.db.selectFrom('threads').select('keyHash').execute();
    expect(keys).toContainEqual({ keyHash: tokenHash(visitor.cookies.get('chat')) });
  });

  test('with a corrected address leaves none of the mistyped one, which may be another person’s', async () => {
    const visitor = app.visitor();
    for (const email of ['typo@lakeside.example', 'ann@lakeside.example'])
      await visitor.post('/api/teams-chat', { message: 'Hello', name: 'Ann', email });
    expect(await tablesWith(app.database, 'typo@lakeside.example')).toEqual([]);
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
    expect((await stored()).at(-1)?.mark).toBe('spam');
  });

  test('is not saved if its notification cannot be saved', async () => {
    const before = (await stored()).length;
    const call = receiveChatMessage({
      db: app.database.db,
      company: ownContent().company,
      words: ownContent().chat,
      usual: { minutes: () => null },
      notify: async () => {
        throw new Error('the outbox is full');
      },
    });
    const sending = callDirectly([call], 'POST /api/teams-chat', { body: { message: 'Hello' } });
    await expect(sending).rejects.toThrow('the outbox is full');
    expect(await stored()).toHaveLength(before);
  });
});

const anonymous = { name: null, email: null };
const replyAt = (moment: string, who: { name: string | null; email: string | null } = anonymous) =>
  automaticReply(ownContent().chat, who, ownContent().company, Date.parse(moment));

describe('the automatic reply in the chat', () => {
  test('says until when the desk is open, and how staff can reply', () => {
    expect(replyAt('2026-03-18T12:30:00-04:00')).toBe(
      'Thank you. Our support desk is open until 5:30 PM ET. For a reply, send your email address or call (800) 555-0199.',
    );
    const ann = { name: 'Ann', email: 'ann@lakeside.example' };
    expect(replyAt('2026-03-18T12:30:00-04:00', ann)).toBe(
      'Thank you, Ann. Our support desk is open until 5:30 PM ET. We’ll email our reply to ann@lakeside.example.',
    );
  });

  test.each([
    ['before the desk opens', '2026-03-18T08:29:59-04:00', 'today at 8:30 AM ET'],
    ['in the evening', '2026-03-18T17:30:00-04:00', 'tomorrow at 8:30 AM ET'],
    ['on a Friday evening', '2026-03-20T18:00:00-04:00', 'on Monday at 8:30 AM ET'],
    ['on the eve of Thanksgiving', '2026-11-25T18:00:00-05:00', 'on Friday at 8:30 AM ET'],
    ['on Thanksgiving', '2026-11-26T12:00:00-05:00', 'tomorrow at 8:30 AM ET'],
  ])('%s says when the desk opens', (_, moment, opening) => {
    expect(replyAt(moment)).toContain(
      `Thank you. We’re closed right now. Our support desk opens ${opening}. For a reply,`,
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
          subject: `New chat message ${json.reference} from Ann`,
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
