type ErrorType =
  | 'api_error'
  | 'card_error'
  | 'idempotency_error'
  | 'invalid_request_error'
  | 'rate_limit_error'
  | 'validation_error';

export interface ErrorBody {
  type: ErrorType;
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  doc_url?: string;
  request_log_url?: string;
  payment_intent?: object;
  payment_method?: object;
}

interface FailureInput extends ErrorBody {
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

  constructor(input: FailureInput) {
    super(input.message);
    const { status, executed, headers, ...body } = input;
    this.status = status;
    this.executed = executed ?? true;
    this.headers = headers ?? {};
    this.body = body.code === undefined ? body : { ...body, doc_url: docUrl(body.code) };
  }
}

export const docUrl = (code: string): string =>
  `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

/** A refusal of the parameters themselves: nothing was executed, so no idempotent result is kept. */
export const refused = (message: string, param?: string, code?: string): StripeFailure =>
  new StripeFailure({
    status: 400,
    type: 'invalid_request_error',
    message,
    executed: false,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });

/** A refusal found while executing. */
export const invalid = (message: string, param?: string, code?: string): StripeFailure =>
  new StripeFailure({
    status: 400,
    type: 'invalid_request_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });

export const missing = (param: string): StripeFailure =>
  refused(`Missing required param: ${param}.`, param, 'parameter_missing');

export const notModelled = (what: string, param?: string): StripeFailure =>
  refused(
    `${what} exists at Stripe, but this stand-in does not model it.`,
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
