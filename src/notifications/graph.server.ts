/** Requests to Microsoft Graph, and email through it. No answer may hold a secret or token. */
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import * as z from 'zod/mini';
import { parseJson } from '../platform/schema.ts';
import type { GraphSettings } from './graph-settings.server.ts';
import { noAnswer, QUICK_DEADLINE_MS, readBeginning, retryAfterMs } from './http-answer.server.ts';
import type { Mailbox, MailOutcome } from './notification.server.ts';

const ANSWER_MS = 20_000;
/** A token and a request, and both once more if the token was withdrawn. */
const DEADLINE_MS = 45_000;
/** Exchange takes 30 emails a minute from a mailbox: 12 to staff, and 12 to customers. */
const PACE_MS = 5_000;
/** Graph refuses larger requests. Our own mails have some 20 KB. */
const MAX_BYTES = 4_000_000;

export type Unavailable = Extract<MailOutcome, { kind: 'unavailable' }>;

export const mailboxUrl = ({ apiUrl, mailbox }: GraphSettings, from: Mailbox) =>
  `${apiUrl}/v1.0/users/${encodeURIComponent(mailbox ?? from.address)}`;

/** Sends requests with the app's token. */
export function graphRequests(graph: GraphSettings) {
  const tokens = tokenSource(graph);

  function ask(url: string, { headers, ...init }: RequestInit, token: string): Promise<Response> {
    return fetch(url, {
      ...init,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.any([
        ...(init.signal ? [init.signal] : []),
        AbortSignal.timeout(ANSWER_MS),
      ]),
    });
  }

  /** What `read` makes of the answer; Unavailable if there is none. */
  return async function request<Outcome>(
    url: string,
    init: RequestInit,
    read: (response: Response) => Promise<Outcome>,
  ): Promise<Outcome | Unavailable> {
    const token = await tokens.current();
    if (typeof token !== 'string') return token;
    try {
      const response = await ask(url, init, token);
      if (response.status !== 401) return await read(response);
      // It may have been withdrawn before its end.
      await readBeginning(response);
      tokens.forget(token);
      const another = await tokens.current();
      if (typeof another !== 'string') return another;
      return await read(await ask(url, init, another));
    } catch (error) {
      return noAnswer(error, ANSWER_MS / 1000);
    }
  };
}

export function openGraph(graph: GraphSettings, from: Mailbox) {
  const request = graphRequests(graph);
  const url = `${mailboxUrl(graph, from)}/sendMail`;

  async function send(email: SendMailOptions, signal: AbortSignal): Promise<MailOutcome> {
    const body = (await new MailComposer(email).compile().build()).toString('base64');
    if (body.length > MAX_BYTES)
      return { kind: 'refused', answer: 'too large: Microsoft Graph takes 4 MB' };
    const headers = { 'Content-Type': 'text/plain' };
    return request(url, { method: 'POST', headers, body, signal }, outcomeOf);
  }

  return {
    paceMs: PACE_MS,
    deadlineMs: DEADLINE_MS,
    /** Whether the app gets a token and may use the mailbox, by sending to no one. */
    async verify(): Promise<MailOutcome> {
      const outcome = await send({ from, subject: 'Test' }, AbortSignal.timeout(DEADLINE_MS));
      if (outcome.kind !== 'refused') return outcome;
      return {
        kind: 'accepted',
        answer: `Microsoft Graph lets us use the mailbox ${graph.mailbox ?? from.address}`,
      };
    },
    send,
    close() {},
  };
}

/** Refusals that concern every email, with what to do. */
const REFUSALS: Record<number, string> = {
  401: 'Microsoft Graph does not accept the token that it has just been given. GRAPH_LOGIN_URL and GRAPH_API_URL must belong to one cloud.',
  403: 'The app may not send from this mailbox, or not as MAIL_FROM. Assign it the role Application Mail.Send for the mailbox in Exchange; a new assignment takes up to two hours.',
  404: 'The tenant has no mailbox with this user name. Set GRAPH_MAILBOX to the one that Exchange shows.',
  507: 'The mailbox is full. Empty its Sent Items.',
};
/** Statuses that refuse the email itself. */
const ABOUT_EMAIL = [400, 413];
/** Codes about the account that Exchange has given with several statuses, 400 among them. */
const ABOUT_ACCOUNT =
  /^Error(ExceededMessageLimit|MessageSubmissionBlocked|AccountSuspend|.*Quota)/;
/** Microsoft takes nothing for a while, from anyone or from us. */
const ABOUT_TIME = [429, 503, 509];

export const graphError = z.object({ error: z.object({ code: z.string() }) });

async function outcomeOf(response: Response): Promise<MailOutcome> {
  const { status, headers } = response;
  const { data } = graphError.safeParse(parseJson(await readBeginning(response)));
  // Graph answers 202 for an email that it will send, and has answered 200 to one too large.
  if (status === 202) return { kind: 'accepted', answer: 'accepted (202)' };
  const code = data?.error.code ?? '';
  const details = graphDetails(status, code, headers);
  const isAboutAccount = ABOUT_ACCOUNT.test(code);
  if (ABOUT_EMAIL.includes(status) && !isAboutAccount)
    return { kind: 'refused', answer: `refused (${details})` };
  const sentence = REFUSALS[status];
  const isLasting = isAboutAccount || sentence !== undefined;
  return {
    kind: 'unavailable',
    answer: sentence ? `${sentence} (${details})` : `not sent (${details})`,
    about: isLasting || ABOUT_TIME.includes(status) ? 'all' : 'unknown',
    isLasting,
    retryAfterMs: retryAfterMs(response),
  };
}

/** Such as '403, ErrorAccessDenied, f00d-1': nothing in it can be a secret. */
export function graphDetails(status: number, code: string, headers: Headers): string {
  const words = [
    String(status),
    /^\w{1,60}$/.exec(code)?.[0],
    /^[\w-]{1,60}$/.exec(headers.get('request-id') ?? '')?.[0],
  ];
  return words.filter(Boolean).join(', ');
}

/** Some services send the seconds as text, or none: the token is then used once. */
const seconds = z.catch(z.coerce.number(), 0);
const tokenAnswer = z.object({ access_token: z.string(), expires_in: seconds });
const tokenError = z.object({ error: z.string(), error_codes: z.catch(z.array(z.int()), []) });

const NO_TOKEN: Record<number, string> = {
  7000222: 'The client secret has expired. Make a new one in Entra and set GRAPH_CLIENT_SECRET.',
  7000215:
    'The client secret is wrong. Copy its value (not its id) from Entra to GRAPH_CLIENT_SECRET.',
  700016: 'The tenant has no app with this id. Set GRAPH_CLIENT_ID and GRAPH_TENANT_ID.',
  90002: 'There is no such tenant. Set GRAPH_TENANT_ID.',
};

/** A token is used until shortly before its end, and asked for once at a time. */
function tokenSource({ tenantId, clientId, clientSecret, loginUrl, apiUrl }: GraphSettings) {
  let cached: { token: string; renewAt: number } | undefined;
  let asking: Promise<string | Unavailable> | undefined;

  async function ask(): Promise<string | Unavailable> {
    try {
      const response = await fetch(`${loginUrl}/${tenantId}/oauth2/v2.0/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
          scope: `${apiUrl}/.default`,
        }),
        redirect: 'manual',
        // A stop waits for no longer.
        signal: AbortSignal.timeout(QUICK_DEADLINE_MS),
      });
      const answer = parseJson(await readBeginning(response));
      const { data } = tokenAnswer.safeParse(answer);
      if (!response.ok || !data) return tokenRefusal(response, answer);
      const lastsMs = data.expires_in * 1000;
      cached = { token: data.access_token, renewAt: performance.now() + 0.9 * lastsMs };
      return data.access_token;
    } catch (error) {
      return { ...noAnswer(error, QUICK_DEADLINE_MS / 1000), about: 'all' };
    }
  }

  return {
    async current(): Promise<string | Unavailable> {
      if (cached && performance.now() < cached.renewAt) return cached.token;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget(token: string): void {
      if (cached?.token === token) cached = undefined;
    },
  };
}

function tokenRefusal(response: Response, answer: unknown): Unavailable {
  const { error = '', error_codes: numbers = [] } = tokenError.safeParse(answer).data ?? {};
  const [sentence = 'Microsoft gives no token.'] = numbers.flatMap(
    (number) => NO_TOKEN[number] ?? [],
  );
  const [number] = numbers;
  const words = [
    response.status,
    /^[a-z_]{1,40}$/.exec(error)?.[0],
    number !== undefined && `AADSTS${number}`,
  ];
  return {
    kind: 'unavailable',
    answer: `${sentence} (${words.filter(Boolean).join(', ')})`,
    about: 'all',
    isLasting: response.status < 500 && response.status !== 429,
    retryAfterMs: retryAfterMs(response),
  };
}
