/** The calls of the account page for the authenticator. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, line, list } from '../platform/schema.ts';
import { codeField, passwordField } from '../staff/staff-api.ts';

/** `demo`: everyone knows the password. `provider`: signed in at the company's provider. */
const STATES = ['off', 'on', 'demo', 'provider'] as const;

const secondFactor = z.object({
  state: z.enum(STATES),
  recoveryCodes: fallback(count, 0),
});

/** 160 bits in base32. */
const SECRET = /^[A-Z2-7]{32}$/;

export const setUp = z.strictObject({
  secret: z.string().check(z.regex(SECRET)),
  password: passwordField,
  code: codeField(1),
});

export const proof = z.strictObject({ password: passwordField, code: codeField(1) });

export type Proof = z.output<typeof proof>;

const recoveryCodes = z.object({ recoveryCodes: list(line()) });

export const GET_SECOND_FACTOR = contract('GET /api/admin/second-factor', {
  answer: secondFactor,
});
/** Stores nothing: the secret comes back with SET_UP. `uri` is what the QR code says. */
export const NEW_SECRET = contract('POST /api/admin/second-factor/secret', {
  answer: z.object({ secret: line(), uri: line() }),
});
export const SET_UP = contract('POST /api/admin/second-factor', {
  body: setUp,
  answer: recoveryCodes,
});
export const NEW_RECOVERY_CODES = contract('POST /api/admin/second-factor/recovery-codes', {
  body: proof,
  answer: recoveryCodes,
});
export const REMOVE = contract('POST /api/admin/second-factor/remove', {
  body: proof,
  answer: z.null(),
});
