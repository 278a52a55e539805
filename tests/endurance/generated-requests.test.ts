/** Generated requests get only answers that the calls declare. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { describedFaults } from '../support/answer-faults.ts';
import type { Scene } from '../support/call-row.ts';
import { everyCall, type KnownCall, makeScene, pathOf } from '../support/every-call.ts';
import { sized } from '../support/sized.ts';
import { sharedTestApp } from '../support/test-app.ts';

const app = sharedTestApp();
let scene: Scene;
beforeAll(async () => {
  scene = await makeScene(app);
});

const AT_ONCE = 20;

test('every answer to a generated request is declared and fits its schema', async () => {
  const calls = everyCall(app);
  const faults = await describedFaults(app);
  const staff = await app.staff();
  const callers = { anonymous: () => app.visitor(), owner: () => scene.owner, staff: () => staff };
  const runs = sized(2_000, 100_000) / AT_ONCE;
  const requests = fc.array(generated(calls), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(requests, async (batch) => {
      await Promise.all(
        batch.map(async ({ name, as, path, headers, body }) => {
          const known = calls.find((each) => each.name === name);
          if (!known) throw new Error(`unknown call ${name}`);
          const caller = callers[as]();
          // Each from its own IP address, to stay below the limits.
          const sender = Object.assign(app.visitor(), { cookies: caller.cookies });
          const { status, json } = await sender.send(path, {
            method: known.call.method,
            headers,
            ...(body === undefined ? {} : { body }),
          });
          // `If-None-Match: *` matches any version of a list.
          const versions = headers['If-None-Match']?.split(',').map((each) => each.trim());
          if (status === 304) return expect(versions).toContain('*');
          expect(declared(known), `${name}: ${status}`).toContain(status);
          const wrong = faults.ofAnswer(known.call, { status, json });
          expect(wrong, `${name}: ${JSON.stringify(json)}`).toBe('');
        }),
      );
    }),
    // Shrinking a failing batch would take hours, and the batch as printed says enough.
    { numRuns: runs, endOnFailure: true },
  );
});

/** Without 503, because the database is available throughout. */
function declared({ call, row }: KnownCall): number[] {
  return [
    call.creates ? 201 : 200,
    204,
    ...(call.ownPagesOnly ? [403] : []),
    ...(row.body ? [400, 413, 415] : []),
    ...Object.values(row.statuses),
    ...(row.otherStatuses ?? []),
  ];
}

function generated(calls: readonly KnownCall[]) {
  return fc.constantFrom(...calls).chain((known) => {
    const { name, call, row } = known;
    const good = row.body?.(scene, 'owner');
    return fc.record({
      name: fc.constant(name),
      as: fc.constantFrom('anonymous' as const, 'owner' as const, 'staff' as const),
      path: path(pathOf(known, scene)),
      headers: headers(),
      body: call.method === 'GET' ? fc.constant(undefined) : body(good),
    });
  });
}

function path(good: string) {
  const part = fc.string({ unit: 'grapheme', maxLength: 12 }).map(encodeURIComponent);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(good) },
    {
      weight: 1,
      arbitrary: part
        .filter((text) => text !== '' && text !== '.' && text !== '..')
        .map((text) => good.replace(/\d+/, text)),
    },
    { weight: 1, arbitrary: part.map((text) => `${good}${good.includes('?') ? '&' : '?'}${text}`) },
  );
}

function headers() {
  const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.trim());
  const mostly = (value: string) => fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, ascii);
  return fc.record(
    {
      Origin: mostly(app.address),
      'Content-Type': mostly('application/json'),
      'Idempotency-Key': ascii,
      'Sec-Fetch-Site': mostly('same-origin'),
      'If-None-Match': ascii,
      Authorization: ascii,
    },
    { requiredKeys: ['Origin', 'Content-Type'] },
  );
}

/** A good body with some of its fields replaced, any JSON, or any bytes. */
function body(good: Record<string, unknown> | undefined) {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(0, 1, 2, 'paid', 'e3', 'credit_card', 'succeeds', true, '\u0000', '\u202E'),
  );
  const fields = Object.keys(good ?? {});
  const bent = fc
    .dictionary(fields.length > 0 ? fc.constantFrom(...fields) : fc.string(), anything, {
      maxKeys: 3,
    })
    .map((change) => JSON.stringify({ ...good, ...change }));
  return fc.oneof(
    { weight: 5, arbitrary: bent },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    },
  );
}
