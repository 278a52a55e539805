/** What the tab has kept of a chat, which an older version or a hand may have left there. */
import { afterEach, expect, test } from 'vitest';
import { forget, remember } from '../platform/browser/session-storage.ts';
import {
  type Conversation,
  keepConversation,
  recallConversation,
  withMessage,
  withOutcome,
} from './conversation.ts';

afterEach(() => forget('chat'));

const ID = '6f1c7a52-5d0b-4d7e-9a39-0b8f3a1d2c44';
const greeted = () => ({
  id: null,
  visitor: null,
  messages: [
    {
      id: 0,
      sender: 'agent',
      content: 'Hello! How can I help you with your IT needs today?',
      timestamp: expect.any(Number),
    },
  ],
});

/** As it is written when a message has been sent, answered, and another has failed. */
function talked(): Conversation {
  const asked = withMessage(recallConversation(), 'user', 'Is anybody there?');
  const answered = withMessage(withOutcome(asked, { reference: 'T-7' }), 'agent', 'We are.');
  const failed = withOutcome(withMessage(answered, 'user', 'Good.'), { failed: true });
  return { ...failed, id: ID };
}

test('a new visitor is greeted', () => {
  expect(recallConversation()).toEqual(greeted());
});

test('each message is told apart, and knows what became of it', () => {
  const { messages } = talked();
  expect(new Set(messages.map(({ id }) => id)).size).toBe(4);
  expect(messages.map(({ content, reference, failed }) => [content, reference, failed])).toEqual([
    [expect.stringContaining('Hello!'), undefined, undefined],
    ['Is anybody there?', 'T-7', undefined],
    ['We are.', undefined, undefined],
    ['Good.', undefined, true],
  ]);
});

test('a conversation goes on after a reload, where it was', () => {
  const before = talked();
  keepConversation(before);
  const { id, messages } = recallConversation();
  expect(id).toBe(ID);
  expect(messages).toMatchObject(before.messages);
  // Nothing has failed and nothing has a number that did not.
  expect(messages.filter(({ failed }) => failed)).toHaveLength(1);
  expect(messages.filter(({ reference }) => reference)).toHaveLength(1);
  expect(withMessage(recallConversation(), 'user', 'Again').messages.at(-1)?.id).toBe(4);
});

test('who writes is known after a reload; what makes no sense of it is asked again', () => {
  const ann = { name: 'Ann', email: 'ann@lakeside.example' };
  const before = talked();
  keepConversation({ ...before, visitor: ann });
  expect(recallConversation().visitor).toEqual(ann);
  keepConversation({ ...before, visitor: { name: 'Ann' } as never });
  expect(recallConversation()).toMatchObject({ visitor: null, messages: { length: 4 } });
});

test('under a name that the server did not give, the messages stay and the name goes', () => {
  keepConversation({ ...talked(), id: 'mine' });
  expect(recallConversation()).toMatchObject({ id: null, messages: { length: 4 } });
});

test('a message from a time that no clock shows is left out', () => {
  const [first, ...rest] = talked().messages;
  keepConversation({
    ...talked(),
    messages: [{ ...first, timestamp: 8.64e15 + 1 }, ...rest] as never,
  });
  expect(recallConversation().messages).toHaveLength(3);
});

test.each([{ id: ID, messages: [] }, { id: ID, messages: [{ id: 1, sender: 'nobody' }] }, 5])(
  'where nothing of it makes sense, one begins: %j',
  (kept) => {
    remember('chat', kept);
    expect(recallConversation()).toEqual(greeted());
  },
);
