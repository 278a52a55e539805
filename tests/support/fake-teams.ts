/** A fake Teams Workflows webhook: validates and records each card, and fails on demand. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { cardFaults } from './adaptive-card-schema.ts';
import { LocalServer } from './local-server.ts';

export type Behaviour =
  | 'accept'
  | 'hang'
  | 'reset'
  /** Accepts the card, then drops the connection before answering. */
  | 'lose the answer'
  | { status: number; headers?: Record<string, string>; body?: string };

interface ReceivedCard {
  at: number;
  bytes: number;
  /** The card's visible text, line by line. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape it expects.
  card: any;
  answerLost: boolean;
}

/** Teams refuses more than 28 KB, but flows have been seen to fail above this size. */
const MAX_BYTES = 21_000;

export class FakeTeams extends LocalServer {
  readonly accepted: ReceivedCard[] = [];
  /** Why cards were refused as invalid; a test that expects none asserts so at its end. */
  readonly faults: string[] = [];
  tries = 0;
  behaviour: (text: string) => Behaviour | Promise<Behaviour> = () => 'accept';
  readonly #payload: 'envelope' | 'card';

  private constructor(payload: 'envelope' | 'card') {
    super();
    this.#payload = payload;
  }

  static start(payload: 'envelope' | 'card' = 'envelope'): Promise<FakeTeams> {
    return new FakeTeams(payload).listen();
  }

  /** Contains a signature, like a real webhook URL. */
  get url(): string {
    return `${this.origin}/workflows/1/triggers/manual/paths/invoke?sig=${SECRET}`;
  }

  get variables(): Record<string, string> {
    return { TEAMS_WEBHOOK_URL: this.url, TEAMS_PAYLOAD: this.#payload, TEAMS_PACE_MS: '0' };
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    this.tries += 1;
    const raw = await buffer(request);
    const body = JSON.parse(raw.toString('utf8'));
    const faults = cardFaults(body, this.#payload);
    if (raw.length >= MAX_BYTES) faults.push(`${raw.length} bytes`);
    if (!request.url?.includes(`sig=${SECRET}`)) faults.push('the signature is missing');
    if (faults.length > 0) {
      this.faults.push(...faults);
      response
        .writeHead(400)
        .end(JSON.stringify({ error: { code: 'TriggerInputSchemaMismatch' } }));
      return;
    }
    const card = this.#payload === 'card' ? body : body.attachments[0].content;
    const text = shownText(card);
    const behaviour = await this.behaviour(text);
    if (behaviour === 'hang') return;
    if (behaviour === 'reset') {
      request.socket.resetAndDestroy();
    } else if (typeof behaviour === 'object') {
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
    } else {
      const answerLost = behaviour === 'lose the answer';
      this.accepted.push({ at: Date.now(), bytes: raw.length, text, card, answerLost });
      if (answerLost) request.socket.destroy();
      else response.writeHead(202).end();
    }
  }
}

export const SECRET = 'c2VjcmV0LXNpZ25hdHVyZQ';

interface Shown {
  text?: string;
  inlines?: Shown[];
  body?: Shown[];
}

function shownText(element: Shown): string {
  if (element.body) return element.body.map(shownText).join('\n');
  if (element.inlines) return element.inlines.map(shownText).join('');
  return element.text ?? '';
}
