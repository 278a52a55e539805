import { describe, expect, test } from 'vitest';
import { acceptedStep, codeOf, keyUri, newSecret, toBase32 } from './totp.server.ts';

const SECRET = toBase32(Buffer.from('12345678901234567890'));

/** Appendix B of RFC 6238, for SHA-1. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

test.each(VECTORS)('every authenticator app shows the same code at second %d', (second, code) => {
  expect(codeOf(SECRET, Math.floor(second / 30), 8)).toBe(code);
  expect(codeOf(SECRET, Math.floor(second / 30))).toBe(code.slice(2));
});

test('a secret is base32 that apps can read, and never the same', () => {
  expect(SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(toBase32(Buffer.from('fooba'))).toBe('MZXW6YTB');
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(newSecret());
  expect(keyUri('Tide & Well', 'dana: ops', SECRET)).toBe(
    `otpauth://totp/Tide%20%26%20Well:dana%3A%20ops?secret=${SECRET}&issuer=Tide%20%26%20Well&algorithm=SHA1&digits=6&period=30`,
  );
});

const STEP = 50_000_000;
const now = STEP * 30_000 + 10_000;
const accepted = (step: number, lastStep = 0) =>
  acceptedStep(SECRET, codeOf(SECRET, step), { lastStep, now });

describe('a code', () => {
  test('of a phone that is half a minute off is accepted, and of one further off refused', () => {
    const steps = [-2, -1, 0, 1, 2].map((off) => accepted(STEP + off));
    expect(steps).toEqual([undefined, STEP - 1, STEP, STEP + 1, undefined]);
  });

  test('is accepted once, and no earlier one after it', () => {
    expect(accepted(STEP, STEP)).toBeUndefined();
    expect(accepted(STEP - 1, STEP)).toBeUndefined();
    expect(accepted(STEP + 1, STEP)).toBe(STEP + 1);
  });

  test.each(['', '12345', '1234567', '١٢٣٤٥٦', 'abcdef'])(
    'that is no code is refused: %j',
    (code) => {
      expect(acceptedStep(SECRET, code, { lastStep: 0, now })).toBeUndefined();
    },
  );
});
