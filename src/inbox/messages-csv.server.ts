/** Contact and chat messages as a CSV file, the newest first. */

import { chatReference } from '../chat/chat.ts';
import { localDate, localIsoTime } from '../company/days.ts';
import { contactReference, serviceLabel } from '../contact/contact.ts';
import { STORED_FIELDS } from '../contact/contact-message.server.ts';
import { inBatches, MAX_ID } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Columns } from '../platform/http/file-download.server.ts';
import type { Site } from '../site.server.ts';
import { customerFile } from '../staff/customer-file.server.ts';
import { DOWNLOAD_MESSAGES } from './inbox-api.ts';

/** customerFile keeps text from being read as a formula. */
export function messagesCsvCall({ db, company }: Site): Call {
  const time = localIsoTime(company);
  const columns: Columns<MessageRow> = {
    reference: ({ kind, id, threadId }) =>
      kind === 'chat' ? chatReference(id) : contactReference(threadId),
    date: ({ createdAt }) => time(createdAt),
    ...Object.fromEntries(
      STORED_FIELDS.map((field) => [field, (row: MessageRow) => row[field] ?? '']),
    ),
    service: ({ service }) => serviceLabel(company, service) ?? '',
    status: ({ status }) => status,
    message: ({ message }) => message,
  };
  return call(DOWNLOAD_MESSAGES, 'staff', (request) => {
    const name = `messages-${localDate(company, Date.now())}.csv`;
    const batches = inBatches<MessageRow>((last) =>
      newestMessages(db)
        .where('entries.id', '<', last?.id ?? MAX_ID)
        .execute(),
    );
    return customerFile(db, request, name, columns, batches);
  });
}

/** A message may have 15 KB, and a client that reads slowly keeps a batch waiting. */
const BATCH_SIZE = 50;

type MessageRow = Awaited<ReturnType<ReturnType<typeof newestMessages>['execute']>>[number];

function newestMessages(db: Db) {
  return db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select(['entries.id', 'threadId', 'threads.kind', ...STORED_FIELDS])
    .select(['status', 'entries.at as createdAt', 'entries.text as message'])
    .where('entries.kind', '=', 'visitor')
    .orderBy('entries.id', 'desc')
    .limit(BATCH_SIZE);
}
