/** Stripe's errors. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
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
  { status = 400, ...about }: { status?: number; param?: string; code?: string } = {},
): StripeFailure => new StripeFailure(status, { type: 'invalid_request_error', message, ...about });

/** The id is in the path (404) or in this parameter (400). */
export const noSuch = (what: string, id: string, param?: string): StripeFailure => {
  const message = `No such ${what}: '${id}'`;
  const code = 'resource_missing';
  return param ? invalid(message, { param, code }) : invalid(message, { code, status: 404 });
};
