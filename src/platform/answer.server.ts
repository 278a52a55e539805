/** The two kinds of answer that every call gives: JSON, or a refusal in words. */
export interface FieldError {
  path: string;
  message: string;
}

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** Headers of every answer under /api are added by `registerCalls`. */
export function answer(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  if (status === 204) return new Response(null, { status, headers });
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...JSON_TYPE, ...headers },
  });
}

/** `{message, errors?}` with its status; `retryAfter` in seconds goes with 429 and 503. */
export function refuse(
  status: number,
  message: string,
  more: { errors?: FieldError[]; retryAfter?: number; headers?: Record<string, string> } = {},
): Response {
  const { errors, retryAfter, headers } = more;
  return answer({ message, ...(errors ? { errors } : {}) }, status, {
    ...headers,
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
}
