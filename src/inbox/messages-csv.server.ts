/** Contact and chat messages as a CSV file, the newest first. */

import { chatReference } from '../chat/chat.ts';
import type { Company } from '../company/company.ts';
import { localDate, localIsoTime } from '../company/hours.ts';
import { contactReference, serviceLabel } from '../contact/contact.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/file-download.server.ts';
import type { Site } from '../platform/site.server.ts';
import { DOWNLOAD_MESSAGES } from './inbox-api.ts';

interface MessageRow {
  reference: string;
  createdAt: number;
  name: string | null;
  email: string | null;
  phone: string | null;
  service: string | null;
  mark: string;
  message: string;
}

export function messagesCsvCall({ db, company }: Site): Call {
  return call(DOWNLOAD_MESSAGES, {
    access: 'staff',
    handle: () => messagesCsv(company, readMessages(db)),
  });
}

/** csvDownload keeps text from being read as a formula. */
function messagesCsv(company: Company, batches: AsyncIterable<MessageRow[]>): Response {
  const time = localIsoTime(company);
  return csvDownload<MessageRow>(
    `messages-${localDate(company, Date.now())}.csv`,
    {
      reference: ({ reference }) => reference,
      date: ({ createdAt }) => time(createdAt),
      name: ({ name }) => name ?? '',
      email: ({ email }) => email ?? '',
      phone: ({ phone }) => phone ?? '',
      service: ({ service }) => serviceLabel(service) ?? '',
      mark: ({ mark }) => mark,
      message: ({ message }) => message,
    },
    batches,
  );
}

const BATCH_SIZE = 500;
const MAX_ID = 2 ** 31 - 1;

async function* readMessages(db: Db): AsyncGenerator<MessageRow[]> {
  const newest = db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select(['entries.id', 'threadId', 'threads.kind', 'name', 'email', 'phone', 'service'])
    .select(['mark', 'entries.at as createdAt', 'entries.text as message'])
    .where('entries.kind', '=', 'visitor')
    .orderBy('entries.id', 'desc')
    .limit(BATCH_SIZE);
  for (let before = MAX_ID; ; ) {
    const rows = await newest.where('entries.id', '<', before).execute();
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ kind, id, threadId, ...row }) => ({
      ...row,
      reference: kind === 'chat' ? chatReference(id) : contactReference(threadId),
    }));
    before = last.id;
  }
}
