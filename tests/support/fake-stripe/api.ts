/** How a request to the API is checked and answered, once for each idempotency key. */
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
  method: string;
  path: string;
  params: string;
  answer: Answer | null;
}

const mismatch = (message: string): StripeFailure =>
  new StripeFailure({ status: 400, type: 'idempotency_error', message, executed: false });

class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();

  /** Takes the key for this request, or hands back what the first request with it was answered. */
  begin(key: string, method: string, path: string, tree: ParamTree): Answer | null {
    if (key.length > 255) {
      throw mismatch(
        `Idempotency keys may be up to 255 characters long, but you provided one with ${key.length} characters.`,
      );
    }
    const params = canonical(tree);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { method, path, params, answer: null });
      return null;
    }
    const another = `Try using a key other than '${key}' if you meant to execute a different request.`;
    if (entry.path !== path || entry.method !== method) {
      throw mismatch(
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${entry.path}'). ${another}`,
      );
    }
    if (entry.params !== params) {
      throw mismatch(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. ${another}`,
      );
    }
    if (entry.answer === null) {
      throw new StripeFailure({
        status: 409,
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        executed: false,
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    }
    return entry.answer;
  }

  /** The answer from now on, unless the key was released or there is none. */
  keep(key: string | undefined, answer: Answer): Answer {
    const entry = this.#entries.get(key ?? '');
    if (entry !== undefined) entry.answer = answer;
    return answer;
  }

  /** Nothing was executed, so the key is free again. */
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
  const [, key] = /^Bearer (.+)$/i.exec(String(headers.authorization)) ?? [];
  if (key === undefined) {
    throw unexecuted(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (key !== secretKey)
    throw unexecuted(401, `Invalid API Key provided: ${key.slice(0, 8)}********${key.slice(-4)}`);
  const version = headers['stripe-version'];
  if (version !== apiVersion) {
    throw unexecuted(
      400,
      `Invalid Stripe API version: ${version ?? '(none)'}; this stand-in speaks ${apiVersion}.`,
    );
  }
  const type = String(headers['content-type'] ?? 'application/x-www-form-urlencoded');
  if (method === 'POST' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw unexecuted(
      400,
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
    );
  }
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

  /** `hold` runs with the idempotency key in flight; false from it means that the caller has gone. */
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
        const earlier = this.#keys.begin(key, request.method, request.path, request.params);
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
