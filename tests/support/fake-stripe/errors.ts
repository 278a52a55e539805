/** Stripe's errors. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  /** Of what was refused. */
  payment_method?: { type: string };
}

export class StripeFailure extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export const invalid = (
  message: string,
  { status = 400, ...about }: { status?: number; code?: string } = {},
): StripeFailure => new StripeFailure(status, { type: 'invalid_request_error', message, ...about });

export const noSuch = (what: string, id: string): StripeFailure =>
  invalid(`No such ${what}: '${id}'`, { code: 'resource_missing', status: 404 });
