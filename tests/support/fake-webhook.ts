/** Receives Standard Webhooks, verifies them by their authors' package, fails on demand. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { LocalServer } from './local-server.ts';

interface ReceivedEvent {
  id: string;
  type: string;
  timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape it expects.
  data: any;
}

type Answer = (response: ServerResponse) => void;
export const accept: Answer = (response) => response.writeHead(204).end();

export class FakeWebhook extends LocalServer {
  readonly secret = `whsec_${randomBytes(32).toString('base64')}`;
  readonly accepted: ReceivedEvent[] = [];
  /** The ids of all attempts. */
  readonly tries: string[] = [];
  /** Why events were not genuine; a test that expects none asserts so at its end. */
  readonly faults: string[] = [];
  answer: (event: ReceivedEvent) => Answer = () => accept;

  static start(): Promise<FakeWebhook> {
    return new FakeWebhook().listen();
  }

  get variables(): Record<string, string> {
    return { WEBHOOK_URL: `${this.origin}/hooks/5f1e2d`, WEBHOOK_SECRET: this.secret };
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    if (method !== 'POST') return void response.writeHead(405).end();
    const body = await text(request);
    try {
      new Webhook(this.secret).verify(body, headers as Record<string, string>);
    } catch (error) {
      this.faults.push(String(error));
      return void response.writeHead(401).end();
    }
    const event = { id: String(headers['webhook-id']), ...JSON.parse(body) };
    this.tries.push(event.id);
    const answer = this.answer(event);
    if (answer === accept) this.accepted.push(event);
    answer(response);
  }
}
