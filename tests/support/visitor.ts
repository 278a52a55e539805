/** A caller of the API with its own cookies and IP address. */
import { randomInt } from 'node:crypto';

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape it expects.
  json: any;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

const anyAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

export class Visitor {
  readonly cookies = new Map<string, string>();
  /** Sent as X-Forwarded-For, which the tests' servers trust. */
  address = anyAddress();
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Changes the IP address, to stay below the limits. */
  move(): this {
    this.address = anyAddress();
    return this;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answered> {
    return this.send(path, { headers });
  }

  /** Posts JSON from the site's own origin, as the page's script does. */
  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    return this.send(path, {
      method: 'POST',
      headers: {
        Origin: this.origin,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends the request as given, plus address and cookies. */
  async send(path: string, { method = 'GET', headers = {}, body }: Sent): Promise<Answered> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        'X-Forwarded-For': this.address,
        ...(cookie ? { Cookie: cookie } : {}),
        ...headers,
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    // A stream of events never ends: event-stream.ts reads it.
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : null,
    };
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Signs in, by default to the demo's account. */
export async function signedIn(
  origin: string,
  { username, password } = { username: 'admin', password: 'showroom-demo' },
): Promise<Visitor> {
  const staff = new Visitor(origin);
  const { status } = await staff.post('/api/admin/login', { username, password });
  if (status !== 200) throw new Error(`staff could not sign in: ${status}`);
  return staff;
}
