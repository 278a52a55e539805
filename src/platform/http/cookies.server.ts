/** A request's cookies. HttpOnly, SameSite=Lax; over https also Secure and __Host-. */
import { hash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';

export type Cookies = ReturnType<typeof requestCookies>;

/** `secure`: whether the site is served over https. */
export function requestCookies(context: Context, secure: boolean) {
  const prefix = secure ? 'host' : undefined;
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  const changes: string[] = [];
  return {
    /** The values of the answer's Set-Cookie headers. */
    changes,
    get: (name: string) => getCookie(context, name, prefix),
    /** `maxAge`: seconds; 0 deletes the cookie. */
    set(name: string, value: string, maxAge: number): void {
      changes.push(
        generateCookie(name, value, { ...attributes, maxAge, ...(prefix && { prefix }) }),
      );
    },
  };
}

const TOKEN = /^[\w-]{43}$/;

/** 32 random bytes as text, impossible to guess. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isToken(text: string | undefined): text is string {
  return text !== undefined && TOKEN.test(text);
}

/** The hash to store in place of a token: a stolen database grants no access. Else undefined. */
export function tokenHash(token: string | undefined): string | undefined {
  return isToken(token) ? hash('sha256', token) : undefined;
}
