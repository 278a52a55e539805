/** The inbox's answers as the screens read them. What a row does not tell is null or '', and is left out. */
import { contactReaders } from '../contact/contact-message.ts';
import { fields, id, list, number, oneOf, or, text } from '../platform/read.ts';
import { MARKS, type Mark } from './inbox.ts';
import type {
  ContactSubmission,
  Conversation,
  ConversationMessage,
  InboxCounts,
  MarkCounts,
} from './inbox-shapes.ts';

/** Marks and references are this server's own: a list of plain submissions has neither. */
type Told<Thing> = Omit<Thing, 'mark'> & { mark: Mark | null };
export type ToldSubmission = Told<ContactSubmission>;
export type ToldConversation = Told<Conversation>;
export type ToldThread = ToldConversation & { thread: ConversationMessage[] };
/** Of a list whose counts make no sense there are none. */
export type ToldCounts = { [List in keyof InboxCounts]: MarkCounts | null };

const said = or(text, '');
const mark = or(oneOf(MARKS), null);

export const readSubmission = fields<ToldSubmission>({
  id,
  ...contactReaders(),
  createdAt: said,
  reference: said,
  mark,
});
export const readSubmissions = list(readSubmission);

const CONVERSATION_FIELDS = {
  id,
  reference: said,
  name: or(text, null),
  email: or(text, null),
  messages: or(number, 1),
  lastMessage: said,
  mark,
  lastAt: said,
};
export const readConversations = list(fields<ToldConversation>(CONVERSATION_FIELDS));
export const readThread = fields<ToldThread>({
  ...CONVERSATION_FIELDS,
  thread: or(
    list(
      fields<ConversationMessage>({ id, reference: said, message: text, response: said, at: said }),
    ),
    [],
  ),
});

const readMarks = or(fields<MarkCounts>({ new: number, answered: number, spam: number }), null);
export const readCounts = fields<ToldCounts>({ contacts: readMarks, conversations: readMarks });
