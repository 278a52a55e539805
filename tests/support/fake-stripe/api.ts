/** Checks and answers API requests, once for each idempotency key. */
import { type FailureInput, StripeFailure } from './errors.ts';
import { apiVersion } from './events.ts';
import type { Fault } from './faults.ts';
import { findRoute } from './router.ts';
import { routes } from './routes.ts';
import { canonical, type ParamTree } from './schema.ts';
import { newId, type World } from './world.ts';

export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

interface Entry {
  /** Method, path and parameters: the same key may not be used for another request. */
  request: string;
  /** Null while the request is in flight. */
  answer: Answer | null;
}

const idempotencyFailure = (status: number, message: string, code?: string): StripeFailure =>
  new StripeFailure({ status, type: 'idempotency_error', code, message, executed: false });

class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();

  /** Reserves the key, or returns the answer to the first request with it. */
  begin(key: string, { method, path, params }: ApiRequest): Answer | null {
    if (key.length > 255)
      throw idempotencyFailure(400, 'Idempotency keys may be up to 255 characters long.');
    const request = `${method} ${path} ${canonical(params)}`;
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { request, answer: null });
      return null;
    }
    if (entry.request !== request)
      throw idempotencyFailure(400, `The key ${key} was first used for another request.`);
    if (entry.answer === null) {
      const message = `Another request with the key ${key} is still going through.`;
      throw idempotencyFailure(409, message, 'idempotency_key_in_use');
    }
    return entry.answer;
  }

  /** Keeps the answer for replays, unless the key was released or there is none. */
  keep(key: string | undefined, answer: Answer): Answer {
    const entry = this.#entries.get(key ?? '');
    if (entry !== undefined) entry.answer = answer;
    return answer;
  }

  /** Frees the key: nothing was executed. */
  release(key: string | undefined): void {
    this.#entries.delete(key ?? '');
  }
}

export interface ApiRequest {
  method: string;
  path: string;
  params: ParamTree;
  headers: Record<string, string | string[] | undefined>;
}

const unexecuted = (status: number, message: string): StripeFailure =>
  new StripeFailure({ status, type: 'invalid_request_error', executed: false, message });

const checkHeaders = ({ headers, method }: ApiRequest, secretKey: string): void => {
  if (headers.authorization !== `Bearer ${secretKey}`)
    throw unexecuted(401, 'Invalid API Key provided.');
  const version = headers['stripe-version'];
  if (version !== apiVersion) {
    const words = `Invalid Stripe API version: ${version ?? '(none)'}; this stand-in speaks ${apiVersion}.`;
    throw unexecuted(400, words);
  }
  const type = String(headers['content-type'] ?? 'application/x-www-form-urlencoded');
  if (method === 'POST' && !type.startsWith('application/x-www-form-urlencoded'))
    throw unexecuted(400, 'The content type of a POST is application/x-www-form-urlencoded.');
};

const unknown = { status: 500, type: 'api_error', message: 'An unknown error occurred' } as const;

const injected: Partial<Record<Fault['how'], FailureInput>> = {
  'status-500': { ...unknown, executed: false },
  'status-500-kept': { ...unknown, headers: { 'stripe-should-retry': 'false' } },
};

export class Api {
  readonly #world: World;
  readonly #secretKey: string;
  readonly #keys = new IdempotencyKeys();

  constructor(world: World, secretKey: string) {
    this.#world = world;
    this.#secretKey = secretKey;
  }

  /** `hold` delays the request while its key is in flight; it resolves to false when the client has gone. */
  async handle(
    request: ApiRequest,
    fault: Fault['how'] | undefined,
    hold: () => Promise<boolean>,
  ): Promise<Answer | null> {
    const headers = { 'request-id': newId('req').slice(0, 18), 'stripe-version': apiVersion };
    const given = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
    const key = given === undefined ? undefined : String(given);
    let holding: string | undefined;
    try {
      checkHeaders(request, this.#secretKey);
      const { route, id } = findRoute(routes, request.method, request.path);
      if (key !== undefined) {
        const earlier = this.#keys.begin(key, request);
        if (earlier !== null)
          return { ...earlier, headers: { ...headers, 'idempotent-replayed': 'true' } };
        holding = key;
      }
      if (!(await hold())) {
        this.#keys.release(holding);
        return null;
      }
      const failure = fault && injected[fault];
      if (failure !== undefined) throw new StripeFailure(failure);
      const body = JSON.stringify(route.execute(this.#world, request.params, id), null, 2);
      return this.#keys.keep(holding, { status: 200, body, headers });
    } catch (error) {
      if (!(error instanceof StripeFailure) || !error.executed) this.#keys.release(holding);
      if (!(error instanceof StripeFailure)) throw error;
      const body = JSON.stringify({ error: error.body }, null, 2);
      return this.#keys.keep(holding, {
        status: error.status,
        body,
        headers: { ...headers, ...error.headers },
      });
    }
  }
}
