/**
 * A fake Microsoft login and Microsoft Graph: gives tokens, takes emails as MIME, and refuses what
 * Microsoft refuses. Its refusals repeat the secret, as no server should.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { LocalServer } from './local-server.ts';
import { BARE_LINE_END, DESK, type ReceivedMail } from './mailbox.ts';

export const GRAPH_SECRET = 'hush8Q~secret.value';
const TENANT = '11111111-2222-3333-4444-555555555555';
const CLIENT = '66666666-7777-8888-9999-000000000000';
const FROM = 'web@tidewell.example';

/** An email in the inbox, as Graph gives it. `headers` by their names. */
export interface InboxMail {
  from: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
  files?: string[];
  /** What uniqueBody is, though text was asked for. */
  html?: boolean;
  /** Seconds since 1970: receivedDateTime has no fractions. */
  receivedAt?: number;
}

interface StoredMail extends Required<Omit<InboxMail, 'html'>> {
  id: string;
  internetMessageId: string;
  contentType: 'text' | 'html';
}

/** A status with Microsoft's code, or for tokens its number. */
export interface GraphRefusal {
  status: number;
  code?: string | number;
  headers?: Record<string, string>;
}

export type GraphBehaviour =
  | 'accept'
  | 'hang'
  | 'reset'
  /** Accepts the mail, then drops the connection before answering. */
  | 'lose the answer'
  /** Answers 503 with a body that never ends. */
  | 'talk without end'
  | GraphRefusal;

const MAX_BYTES = 4 * 1024 * 1024;
const A_MINUTE = 30;
const AT_ONCE = 4;

export class FakeGraph extends LocalServer {
  readonly mails: ReceivedMail[] = [];
  /** What no sender should do, though it was refused. */
  readonly faults: string[] = [];
  /** Emails, requests for tokens, and tokens given. */
  tries = 0;
  tokenRequests = 0;
  tokens = 0;
  /** In seconds. */
  expiresIn: number | string | undefined = 3599;
  behaviour: (mail: Email) => GraphBehaviour = () => 'accept';
  loginBehaviour: () => GraphBehaviour = () => 'accept';
  /** The mailbox's user name. */
  user = FROM;
  /** What is answered to a look at the inbox, or at one of its emails. */
  readBehaviour: (url: string) => GraphBehaviour = () => 'accept';
  reads = 0;
  /** Whether the app has Mail.Read for the mailbox. */
  mayRead = true;
  readonly #inbox: StoredMail[] = [];
  #generation = 1;
  #expired: GraphRefusal = { status: 410 };
  readonly #valid = new Set<string>();
  #atOnce = 0;

  static start(): Promise<FakeGraph> {
    return new FakeGraph().listen();
  }

  get variables(): Record<string, string> {
    return {
      GRAPH_TENANT_ID: TENANT,
      GRAPH_CLIENT_ID: CLIENT,
      GRAPH_CLIENT_SECRET: GRAPH_SECRET,
      GRAPH_LOGIN_URL: this.origin,
      GRAPH_API_URL: this.origin,
      MAIL_FROM: `Tidewell <${FROM}>`,
      MAIL_TO: DESK,
    };
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ recipients }) => recipients.includes(address));
  }

  /** Puts an email into the inbox. Returns its Message-ID. */
  receive({ html, ...mail }: InboxMail): string {
    const number = this.#inbox.length + 1;
    const internetMessageId = `<in-${number}@mail.example>`;
    this.#inbox.push({
      ...{ headers: {}, files: [], receivedAt: Math.floor(Date.now() / 1000), ...mail },
      ...{ id: `AAk${number}`, internetMessageId },
      contentType: html ? 'html' : 'text',
    });
    return internetMessageId;
  }

  /** Makes every delta link answer 410, or as one of a mailbox that was made anew. */
  expireLinks(answer: GraphRefusal = { status: 410, code: 'SyncStateNotFound' }): void {
    this.#generation += 1;
    this.#expired = answer;
  }

  #read({ url = '', headers }: IncomingMessage): { status: number; json: object } {
    const refused = (status: number, code: string) => ({ status, json: { code } });
    const { pathname, searchParams: query } = new URL(url, this.origin);
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (!this.#valid.has(token)) return refused(401, 'InvalidAuthenticationToken');
    const mailbox = `/v1.0/users/${encodeURIComponent(this.user)}/`;
    if (!pathname.startsWith(mailbox)) return refused(404, 'ErrorInvalidUser');
    if (!this.mayRead) return refused(403, 'ErrorAccessDenied');
    const preferences = String(headers.prefer);
    if (!preferences.includes('IdType="ImmutableId"')) this.faults.push('ids that change');
    const what = pathname.slice(mailbox.length);
    if (what === 'mailFolders/inbox/messages/delta') return this.#readDelta(query, preferences);
    const [, id = ''] = /^messages\/([^/]+)$/.exec(what) ?? [];
    const mail = this.#inbox.find((stored) => stored.id === decodeURIComponent(id));
    if (!mail) return refused(404, 'ErrorItemNotFound');
    const asksText = preferences.includes('outlook.body-content-type="text"');
    if (!asksText) this.faults.push('bodies as HTML');
    const named = Object.entries(mail.headers).map(([name, value]) => ({ name, value }));
    const all = {
      subject: mail.subject,
      internetMessageHeaders: named,
      uniqueBody: { contentType: mail.contentType, content: mail.text },
    };
    const selected = (query.get('$select') ?? '').split(',');
    const json = Object.fromEntries(
      Object.entries(all).filter(([name]) => selected.includes(name)),
    );
    // As Outlook answers: the logo of the email before comes back under another name.
    const logo = { name: 'image001.png', isInline: true, size: 4_000 };
    const files = mail.files.map((name) => ({ name, isInline: false, size: 4_000 }));
    const attachments = query.has('$expand') ? [logo, ...files] : undefined;
    return { status: 200, json: { ...json, attachments } };
  }

  /** Each page repeats the row before it, as a round may. */
  #readDelta(query: URLSearchParams, preferences: string): { status: number; json: object } {
    const state = query.get('$skiptoken') ?? query.get('$deltatoken');
    const [since = '', generation = String(this.#generation), from = '0'] = state?.split('_') ?? [
      /^receivedDateTime g[et] (\S+)$/.exec(query.get('$filter') ?? '')?.[1] ?? '',
    ];
    if (Number(generation) !== this.#generation)
      return { status: this.#expired.status, json: { code: this.#expired.code } };
    if (!state && (!since || query.get('changeType') !== 'created'))
      return { status: 400, json: { code: 'ErrorInvalidUrlQuery' } };
    const size = Number(/odata\.maxpagesize=(\d+)/.exec(preferences)?.[1] ?? 10);
    const start = Number(from);
    const end = Math.min(start + size, this.#inbox.length);
    const value = this.#inbox
      .slice(Math.max(0, start - 1), end)
      .filter(({ receivedAt }) => receivedAt * 1000 >= Date.parse(since) - 999)
      .map(({ id, internetMessageId, receivedAt, from: address }) => ({
        ...{ id, internetMessageId },
        receivedDateTime: new Date(receivedAt * 1000).toISOString().replace('.000', ''),
        from: { emailAddress: { name: address.split('@')[0], address } },
      }));
    // Something that has left the inbox.
    value.unshift({ id: 'AAk0', '@removed': { reason: 'changed' } } as never);
    const link = (kind: string) =>
      `${this.origin}/v1.0/users/${encodeURIComponent(this.user)}/mailFolders/inbox/messages/delta?${kind}=${since}_${this.#generation}_${end}`;
    const isLast = end === this.#inbox.length;
    return {
      status: 200,
      json: isLast
        ? { value, '@odata.deltaLink': link('$deltatoken') }
        : { value, '@odata.nextLink': link('$skiptoken') },
    };
  }

  /** Withdraws every token before its end. */
  withdrawTokens(): void {
    this.#valid.clear();
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const isLogin = request.method === 'POST' && request.url === `/${TENANT}/oauth2/v2.0/token`;
    if (isLogin) {
      this.tokenRequests += 1;
      const type = request.headers['content-type'] ?? '';
      answer(response, this.#loginFault(type, body) ?? this.loginBehaviour(), {
        status: 200,
        json: () => this.#newToken(),
      });
      return;
    }
    this.#atOnce += 1;
    response.on('close', () => {
      this.#atOnce -= 1;
    });
    if (request.method === 'GET') {
      this.reads += 1;
      const { status, json } = this.#read(request);
      const behaviour = status < 300 ? this.readBehaviour(request.url ?? '') : { status, ...json };
      return answer(response, behaviour, { status, json: () => json });
    }
    this.tries += 1;
    const fault = this.#fault(request, body);
    answer(response, fault ?? (await this.#take(body)), { status: 202 });
  }

  /** Keeps the email if it is accepted. */
  async #take(body: string): Promise<GraphBehaviour> {
    const mime = Buffer.from(body, 'base64');
    if (BARE_LINE_END.test(mime.toString('latin1')))
      return { status: 400, code: 'BareLinefeedsAreIllegal' };
    const mail = await PostalMime.parse(mime);
    const all = [mail.to, mail.cc, mail.bcc].flatMap((each) => each ?? []);
    const recipients = all.flatMap(({ address }) => address ?? []);
    if (mail.from?.address !== FROM) return { status: 403, code: 'ErrorSendAsDenied' };
    if (recipients.length === 0) return { status: 400, code: 'ErrorInvalidRecipients' };
    const behaviour = this.behaviour(mail);
    const answerLost = behaviour === 'lose the answer';
    if (!answerLost && behaviour !== 'accept') return behaviour;
    const at = Date.now();
    if (this.mails.filter((each) => each.at > at - 60_000).length >= A_MINUTE) {
      this.faults.push(`more than ${A_MINUTE} a minute`);
      return { status: 429, headers: { 'Retry-After': '5' } };
    }
    this.mails.push({ ...mail, at, recipients, answerLost, raw: mime.toString(), greeting: '' });
    return behaviour;
  }

  #fault({ method, url = '', headers }: IncomingMessage, body: string): GraphRefusal | undefined {
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const [, user = ''] = /^\/v1\.0\/users\/([^/]+)\/sendMail$/.exec(url) ?? [];
    if (method !== 'POST' || !user) return { status: 405, code: 'MethodNotAllowed' };
    if (!this.#valid.has(token)) return { status: 401, code: 'InvalidAuthenticationToken' };
    if (this.#atOnce > AT_ONCE) {
      this.faults.push(`more than ${AT_ONCE} at once`);
      return { status: 429, headers: { 'Retry-After': '1' } };
    }
    if (decodeURIComponent(user) !== this.user) return { status: 404, code: 'ErrorInvalidUser' };
    if (headers['content-type'] !== 'text/plain') return { status: 415, code: 'UnsupportedType' };
    if (body.length > MAX_BYTES) return { status: 413, code: 'RequestEntityTooLarge' };
    const isBase64 = body.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(body);
    return isBase64 ? undefined : { status: 400, code: 'ErrorMimeContentInvalidBase64String' };
  }

  #loginFault(type: string, body: string): GraphRefusal | undefined {
    const isForm = /^application\/x-www-form-urlencoded(;|$)/.test(type);
    const asked = Object.fromEntries(new URLSearchParams(body));
    if (!isForm || asked.grant_type !== 'client_credentials') return { status: 400, code: 900144 };
    if (asked.scope !== `${this.origin}/.default`) return { status: 400, code: 70011 };
    if (asked.client_id !== CLIENT) return { status: 400, code: 700016 };
    return asked.client_secret === GRAPH_SECRET ? undefined : { status: 401, code: 7000215 };
  }

  #newToken(): object {
    this.tokens += 1;
    const token = `token-${this.tokens}`;
    this.#valid.add(token);
    return { token_type: 'Bearer', expires_in: this.expiresIn, access_token: token };
  }
}

function answer(
  response: ServerResponse,
  behaviour: GraphBehaviour,
  accepted: { status: number; json?: () => object },
): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'reset' || behaviour === 'lose the answer') {
    response.socket?.destroy();
  } else if (behaviour === 'talk without end') {
    const talk = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.writeHead(503).on('drain', talk);
    talk();
  } else if (behaviour === 'accept') {
    const { status, json } = accepted;
    response.writeHead(status).end(json && JSON.stringify(json()));
  } else {
    const { status, headers, code = '' } = behaviour;
    const description = `AADSTS${code}: not with ${GRAPH_SECRET}`;
    const body =
      typeof code === 'number'
        ? { error: 'invalid_client', error_description: description, error_codes: [code] }
        : { error: { code, message: description } };
    response.writeHead(status, { 'request-id': 'f00d-1', ...headers }).end(JSON.stringify(body));
  }
}
