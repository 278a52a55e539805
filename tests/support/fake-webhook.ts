/** Receives Standard Webhooks, verifies them by their authors' package, fails on demand. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

interface ReceivedEvent {
  id: string;
  type: string;
  timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape it expects.
  data: any;
}

type Answer = (response: ServerResponse) => void;
export const accept: Answer = (response) => response.writeHead(204).end();

export class FakeWebhook {
  readonly secret = `whsec_${randomBytes(32).toString('base64')}`;
  readonly accepted: ReceivedEvent[] = [];
  /** The ids of all attempts. */
  readonly tries: string[] = [];
  /** Why events were not genuine; a test that expects none asserts so at its end. */
  readonly faults: string[] = [];
  answer: (event: ReceivedEvent) => Answer = () => accept;
  readonly #server = createServer((request, response) => {
    this.#receive(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<FakeWebhook> {
    const fake = new FakeWebhook();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get variables(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/hooks/5f1e2d`;
    return { WEBHOOK_URL: url, WEBHOOK_SECRET: this.secret };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
