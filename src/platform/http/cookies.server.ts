/** The site's cookies: HttpOnly, SameSite=Lax; over https also Secure and, by the __Host- prefix, bound to the host. */
import { createHash, randomBytes } from 'node:crypto';
import { parse } from 'hono/utils/cookie';

export class Cookies {
  readonly #prefix: string;
  readonly #attributes: string;

  constructor(secure: boolean) {
    this.#prefix = secure ? '__Host-' : '';
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  read(header: string | null | undefined, name: string): string | undefined {
    return header ? parse(header, this.#prefix + name)[this.#prefix + name] : undefined;
  }

  /** The value of a Set-Cookie header. `maxAge`: seconds; 0 deletes the cookie. */
  write(name: string, value: string, maxAge: number): string {
    return `${this.#prefix}${name}=${value}; Max-Age=${maxAge}; ${this.#attributes}`;
  }
}

const TOKEN = /^[\w-]{43}$/;

/** 32 random bytes as text, impossible to guess. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash to store in place of a token, so that a stolen database grants no access. Undefined for an invalid one. */
export function tokenHash(token: string | undefined): string | undefined {
  return token && TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : undefined;
}
