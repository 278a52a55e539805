/** What an entry of a thread says, as staff and the person's own file have it. */

import * as z from 'zod/mini';
import { replyInWords } from '../chat/automatic-reply.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { parseJson } from '../platform/schema.ts';
import type { Site } from '../site.server.ts';

/** Of a reply by mail: the names of its attachments, and whether only the mailbox has all of it. */
const mailFacts = z.object({ files: z.array(z.string()), isCut: z.boolean() });
export type MailFacts = z.output<typeof mailFacts>;

interface Said extends Pick<Row<'entries'>, 'kind' | 'text' | 'data'> {
  author: string | null;
}

export function entryText(
  site: Pick<Site, 'content' | 'company'>,
  thread: Row<'threads'>,
  entry: Said,
): string {
  const { kind, text, data, author } = entry;
  switch (kind) {
    case 'reply':
      return replyInWords(site, data, thread);
    case 'marked':
      return `${author} marked it as ${parseJson(data ?? '')}`;
    case 'assigned':
      return `${author} took it`;
    case 'released':
      return `${author} released it`;
    case 'answered-by-mail':
      return `${author} answered by email`;
    case 'readdressed':
      return `${author} sent an answer to another address`;
    case 'address-changed':
      return 'The visitor gave a new address';
    case 'ended':
      return 'The visitor ended the conversation';
    case 'full':
      return 'The conversation is full and goes on in another one';
    case 'visitor':
    case 'third-party':
      return data === null ? text : mailText(text, data);
    default:
      return text;
  }
}

/** A reply by mail, and what only the mailbox has of it. */
function mailText(text: string, data: string): string {
  const { files, isCut } = mailFacts.safeParse(parseJson(data)).data ?? { files: [], isCut: false };
  return [
    text,
    isCut && 'The mailbox has all of this email.',
    files.length > 0 && `In the mailbox: ${files.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}
