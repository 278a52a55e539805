/** Stripe's errors. */
type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

export interface ErrorBody {
  type: ErrorType;
  message: string;
  code?: string | undefined;
  param?: string | undefined;
  decline_code?: string | undefined;
  payment_intent?: { status: string };
  setup_intent?: { status: string };
}

export interface FailureInput extends ErrorBody {
  status: number;
  /** Stripe keeps an idempotent result only once execution has begun. */
  executed?: boolean;
  headers?: Record<string, string>;
}

export class StripeFailure extends Error {
  readonly status: number;
  readonly executed: boolean;
  readonly headers: Record<string, string>;
  readonly body: ErrorBody;

  constructor({ status, executed = true, headers = {}, ...body }: FailureInput) {
    super(body.message);
    this.status = status;
    this.executed = executed;
    this.headers = headers;
    this.body = body;
  }
}

/** A refusal during execution. */
export const invalid = (message: string, param?: string, code?: string): StripeFailure =>
  new StripeFailure({ status: 400, type: 'invalid_request_error', message, param, code });

/** A refusal of the parameters, before execution: no idempotent result is kept. */
export const refused = (message: string, param?: string, code?: string): StripeFailure =>
  new StripeFailure({ ...invalid(message, param, code).body, status: 400, executed: false });

export const missing = (param: string): StripeFailure =>
  refused(`Missing required param: ${param}.`, param, 'parameter_missing');

export const notModelled = (what: string, param?: string): StripeFailure =>
  refused(
    `${what} exists at Stripe, but the stand-in does not support it.`,
    param,
    'stand_in_not_modelled',
  );

/** `status` is 404 for an id in the path, 400 for one in a parameter. */
export const noSuch = (
  kind: string,
  id: string,
  param: string,
  status: 400 | 404 = 404,
): StripeFailure =>
  new StripeFailure({
    status,
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
