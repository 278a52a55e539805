import { StripeFailure } from './errors.ts';
import { apiVersion } from './event-log.ts';
import type { Fault } from './faults.ts';
import { type ParamTree, parseForm } from './form.ts';
import { type Answer, IdempotencyKeys } from './idempotency.ts';
import { findRoute, type Route } from './router.ts';
import { customerRoutes } from './routes-customers.ts';
import { paymentRoutes } from './routes-payments.ts';
import { priceRoutes } from './routes-prices.ts';
import { productRoutes } from './routes-products.ts';
import { recordRoutes } from './routes-records.ts';
import { subscriptionRoutes } from './routes-subscriptions.ts';
import type { World } from './world.ts';

export interface ApiRequest {
  id: string;
  method: string;
  path: string;
  query: string;
  body: string;
  headers: Record<string, string | undefined>;
}

interface ApiAnswer extends Answer {
  headers: Record<string, string>;
}

export const routes: readonly Route[] = [
  ...customerRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...subscriptionRoutes,
  ...paymentRoutes,
  ...recordRoutes,
];

const keyFrom = (authorization: string | undefined): string => {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ');
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return '';
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0] ?? '';
};

const unauthorized = (message: string): StripeFailure =>
  new StripeFailure({
    status: 401,
    type: 'invalid_request_error',
    executed: false,
    message,
    headers: { 'www-authenticate': 'Basic realm="Stripe"' },
  });

const checkKey = (authorization: string | undefined, secretKey: string): void => {
  const key = keyFrom(authorization);
  if (key === '') {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
    );
  }
  if (key !== secretKey)
    throw unauthorized(
      `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`,
    );
};

const checkHeaders = ({ headers, method, body }: ApiRequest): void => {
  const refuse = (message: string): StripeFailure =>
    new StripeFailure({ status: 400, type: 'invalid_request_error', message, executed: false });
  const version = headers['stripe-version'];
  if (version !== apiVersion)
    throw refuse(
      `Invalid Stripe API version: ${version ?? '(none)'}; this stand-in speaks ${apiVersion}.`,
    );
  const form = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  if (method === 'POST' && body !== '' && !form) {
    throw refuse(
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
    );
  }
};

const paramsOf = (request: ApiRequest): ParamTree =>
  parseForm([request.query, request.body].filter((part) => part !== '').join('&'));

const injected: Partial<Record<Fault['how'], () => StripeFailure>> = {
  'status-500': () =>
    new StripeFailure({
      status: 500,
      type: 'api_error',
      message: 'An unknown error occurred',
      executed: false,
    }),
  'status-500-kept': () =>
    new StripeFailure({
      status: 500,
      type: 'api_error',
      message: 'An unknown error occurred',
      headers: { 'stripe-should-retry': 'false' },
    }),
  'status-503': () =>
    new StripeFailure({
      status: 503,
      type: 'api_error',
      message: 'Service temporarily unavailable',
      executed: false,
    }),
  'status-429': () =>
    new StripeFailure({
      status: 429,
      type: 'rate_limit_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
      executed: false,
    }),
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
  ): Promise<ApiAnswer | null> {
    const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
    const headers: Record<string, string> = {
      'request-id': request.id,
      'stripe-version': apiVersion,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    let holding: string | undefined;
    try {
      checkKey(request.headers.authorization, this.#secretKey);
      checkHeaders(request);
      const { route, id } = findRoute(routes, request.method, request.path);
      const params = paramsOf(request);
      if (key !== undefined) {
        const earlier = this.#keys.begin(key, request.method, request.path, params);
        if (earlier !== null) {
          return {
            ...earlier,
            headers: {
              ...headers,
              'idempotent-replayed': 'true',
              'original-request': earlier.requestId,
            },
          };
        }
        holding = key;
      }
      if (!(await hold())) {
        if (holding !== undefined) this.#keys.release(holding);
        return null;
      }
      const failure = fault === undefined ? undefined : injected[fault];
      if (failure !== undefined) throw failure();
      this.#world.request = { id: request.id, idempotency_key: key ?? null };
      const body = JSON.stringify(route.execute(this.#world, params, id), null, 2);
      const answer = { status: 200, body, requestId: request.id };
      if (holding !== undefined) this.#keys.keep(holding, answer);
      return { ...answer, headers };
    } catch (error) {
      if (!(error instanceof StripeFailure)) {
        if (holding !== undefined) this.#keys.release(holding);
        throw error;
      }
      const detail = {
        ...error.body,
        request_log_url: `https://dashboard.stripe.com/test/logs/${request.id}`,
      };
      const answer = {
        status: error.status,
        body: JSON.stringify({ error: detail }, null, 2),
        requestId: request.id,
      };
      if (holding !== undefined) {
        if (error.executed) this.#keys.keep(holding, answer);
        else this.#keys.release(holding);
      }
      return { ...answer, headers: { ...headers, ...error.headers } };
    } finally {
      this.#world.request = null;
    }
  }
}
