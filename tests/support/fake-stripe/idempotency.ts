import { StripeFailure } from './errors.ts';
import { canonical, type ParamTree } from './form.ts';

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

export class IdempotencyKeys {
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
