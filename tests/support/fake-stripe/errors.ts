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
  /** Stripe keeps the result of an idempotent request only once its execution began. */
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

/** A refusal found while executing. */
export const invalid = (message: string, param?: string, code?: string): StripeFailure =>
  new StripeFailure({ status: 400, type: 'invalid_request_error', message, param, code });

/** A refusal of the parameters themselves: nothing was executed, so no idempotent result is kept. */
export const refused = (message: string, param?: string, code?: string): StripeFailure =>
  new StripeFailure({ ...invalid(message, param, code).body, status: 400, executed: false });

export const missing = (param: string): StripeFailure =>
  refused(`Missing required param: ${param}.`, param, 'parameter_missing');

export const notModelled = (what: string, param?: string): StripeFailure =>
  refused(
    `${what} exists at Stripe, but this stand-in does not know it.`,
    param,
    'stand_in_not_modelled',
  );

/** `status` is 404 when the address names the object, 400 when a parameter does. */
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
