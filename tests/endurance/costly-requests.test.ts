/** No request of up to 64 KB makes the server work long. */
import fc from 'fast-check';
import { describe, expect, inject, test, vi } from 'vitest';
import { inspect, MARKED, requests } from '../support/costly-requests.ts';
import { executedStatements } from '../support/executed-statements.ts';
import { sized } from '../support/sized.ts';
import { sharedTestApp } from '../support/test-app.ts';

const REQUESTS = sized(300, 20_000);
/** Statements of the costliest call, and those of background work meanwhile. */
const MAX_STATEMENTS = 40;
/** Ten errors, none of which repeats what was sent. */
const MAX_REFUSAL = 4_000;
/** Normalizing such a text takes as long as the square of its length. */
const MANY_MARKS = /\p{M}{31}/u;

/** One engine is enough: requests take the same thread on both. */
describe.runIf(inject('engine') === 'sqlite')('a request', () => {
  const app = sharedTestApp();

  test('of 64 KB at most makes few statements and a short refusal, and normalizes no pile of marks', async () => {
    const statements = executedStatements(app);
    const normalize = vi.spyOn(String.prototype, 'normalize');
    await fc.assert(
      fc.asyncProperty(requests(), async (request) => {
        statements.length = 0;
        normalize.mockClear();
        const { path, ...sent } = request;
        const { status, text, json } = await app.visitor().send(path, sent);
        const what = inspect(request);
        expect(status, what).not.toBe(500);
        expect(statements.length, what).toBeLessThan(MAX_STATEMENTS);
        if (status >= 400 && json) expect(text.length, what).toBeLessThan(MAX_REFUSAL);
        const normalized = normalize.mock.contexts.map(String);
        expect(normalized.filter((each) => MANY_MARKS.test(each))).toEqual([]);
      }),
      {
        numRuns: REQUESTS + MARKED.length,
        examples: MARKED.map((each) => [each]),
        endOnFailure: true,
      },
    );
  });
});
