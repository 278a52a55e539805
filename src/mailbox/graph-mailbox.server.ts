/** Reads the inbox of a mailbox by Microsoft Graph: what is new by delta, then each mail. */
import * as z from 'zod/mini';
import { MAX_EMAIL } from '../limits.ts';
import {
  graphDetails,
  graphError,
  graphRequests,
  mailboxUrl,
  type Unavailable,
} from '../notifications/graph.server.ts';
import type { GraphSettings } from '../notifications/graph-settings.server.ts';
import { readBeginning, retryAfterMs } from '../notifications/http-answer.server.ts';
import type { Mailbox } from '../notifications/notification.server.ts';
import { parseJson } from '../platform/schema.ts';
import { isoTime } from '../platform/time.ts';

const PAGE_SIZE = 50;
/** More than Exchange lets anybody send as text. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A header may say anything; not all of it can be stored. */
const sender = z.string().check(z.maxLength(MAX_EMAIL), z.regex(/^\P{C}+$/u));
const address = z.object({ emailAddress: z.object({ address: sender }) });
/** A row that has left the inbox has an id and `@removed`; a draft has no sender. */
const row = z.pipe(
  z.object({
    id: z.string(),
    internetMessageId: z.string(),
    receivedDateTime: z.iso.datetime(),
    from: address,
  }),
  z.transform(({ receivedDateTime, from, ...ids }) => ({
    ...ids,
    receivedAt: Date.parse(receivedDateTime),
    sender: from.emailAddress,
  })),
);
export type InboxRow = z.output<typeof row>;

const page = z.object({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.optional(z.string()),
  '@odata.deltaLink': z.optional(z.string()),
});

const message = z.object({
  subject: z.nullish(z.string()),
  internetMessageHeaders: z.catch(z.array(z.object({ name: z.string(), value: z.string() })), []),
  uniqueBody: z.nullish(z.object({ contentType: z.string(), content: z.string() })),
  attachments: z.catch(
    z.array(z.object({ name: z.nullish(z.string()), isInline: z.boolean(), size: z.number() })),
    [],
  ),
});
export type InboxMessage = z.output<typeof message>;

interface Page {
  kind: 'page';
  rows: InboxRow[];
  /** Where to go on: now if there is more, else at the next look. */
  link: string;
  isLast: boolean;
}

export interface Failure extends Unavailable {
  /** Perhaps the link's state is gone, so begin again. */
  isLinkGone?: boolean;
  /** Of one email alone: Graph may answer so for ever, while it gives all others. */
  isAboutOne?: boolean;
}

/** 410 once a link has expired; 400 or 404 once its folder is that of a mailbox made anew. */
const GONE = new Set([400, 404, 410]);

/** What Graph may say of one email for ever; or, by 404, of a mailbox on the move. */
const ABOUT_MESSAGE = new Set([400, 404, 500]);

const REFUSALS: Record<number, string> = {
  403: 'The app may not read this mailbox. Assign it the role Application Mail.Read for the mailbox in Exchange; a new assignment takes up to two hours.',
  404: 'The tenant has no mailbox with this user name. Set GRAPH_MAILBOX to the one that Exchange shows.',
};

export function graphMailbox(graph: GraphSettings, from: Mailbox) {
  const request = graphRequests(graph);
  const user = mailboxUrl(graph, from);
  const get = <Outcome>(
    url: string,
    preferences: string[],
    read: (response: Response) => Promise<Outcome | Unavailable>,
  ) => request(url, { headers: { Prefer: [IMMUTABLE, ...preferences].join(', ') } }, read);

  return {
    /** The first link, to the mails that came at this time or later. */
    linkSince(time: number): string {
      const query = new URLSearchParams({
        changeType: 'created',
        $select: 'id,internetMessageId,receivedDateTime,from',
        $filter: `receivedDateTime ge ${isoTime(time)}`,
      });
      return `${user}/mailFolders/inbox/messages/delta?${query}`;
    },

    readPage(link: string): Promise<Page | Failure> {
      return get(link, [`odata.maxpagesize=${PAGE_SIZE}`], async (response) => {
        const json = await readJson(response);
        const { data } = page.safeParse(json);
        const next = data?.['@odata.nextLink'];
        const goOn = next ?? data?.['@odata.deltaLink'];
        if (!response.ok || !data || !goOn)
          return { ...unavailable(response, json), isLinkGone: GONE.has(response.status) };
        const rows = data.value.flatMap((value) => row.safeParse(value).data ?? []);
        return { kind: 'page', rows, link: goOn, isLast: next === undefined };
      });
    },

    /** 'gone': somebody has deleted it. */
    readMessage(id: string): Promise<InboxMessage | 'gone' | Failure> {
      const query = new URLSearchParams({
        $select: 'subject,internetMessageHeaders,uniqueBody',
        $expand: 'attachments($select=name,isInline,size)',
      });
      const url = `${user}/messages/${encodeURIComponent(id)}?${query}`;
      return get(url, ['outlook.body-content-type="text"'], async (response) => {
        const json = await readJson(response);
        const { data } = message.safeParse(json);
        if (response.ok && data) return data;
        if (codeOf(json) === 'ErrorItemNotFound') return 'gone';
        const failure = unavailable(response, json);
        const isAboutOne = response.ok || ABOUT_MESSAGE.has(response.status);
        return isAboutOne ? { ...failure, isAboutOne, isLasting: false } : failure;
      });
    },
  };
}

/** An id stays when a rule or a person moves the mail. */
const IMMUTABLE = 'IdType="ImmutableId"';

async function readJson(response: Response): Promise<unknown> {
  return parseJson(await readBeginning(response, MAX_BYTES));
}

const codeOf = (json: unknown) => graphError.safeParse(json).data?.error.code ?? '';

function unavailable({ status, headers }: Response, json: unknown): Unavailable {
  const sentence = REFUSALS[status];
  return {
    kind: 'unavailable',
    answer: `${sentence ?? 'not read'} (${graphDetails(status, codeOf(json), headers)})`,
    about: 'unknown',
    isLasting: sentence !== undefined,
    retryAfterMs: retryAfterMs({ headers }),
  };
}
