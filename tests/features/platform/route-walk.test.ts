/** Every registered call, requested by every kind of caller: no one reads what is not theirs. */
import { beforeAll, describe, expect, test } from 'vitest';
import { describedFaults } from '../../support/answer-faults.ts';
import { CALLERS, type Caller, type Scene } from '../../support/call-row.ts';
import { ask, everyCall, makeScene, rowsWithoutCall } from '../../support/every-call.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import type { Answered, Visitor } from '../../support/visitor.ts';

describe('every call', () => {
  const app = sharedTestApp();
  let scene: Scene;
  let stranger: Visitor;
  let faults: Awaited<ReturnType<typeof describedFaults>>;
  beforeAll(async () => {
    scene = await makeScene(app);
    faults = await describedFaults(app);
    // Another customer, with an order and a cookie of their own.
    stranger = (await makeScene(app)).owner;
  });

  const callerOf: Record<Caller, (scene: Scene) => Visitor | Promise<Visitor>> = {
    anonymous: () => app.visitor(),
    stranger: () => stranger,
    owner: ({ owner }) => owner,
    // A new session each time, because one of the calls signs out.
    staff: () => app.staff(),
  };

  test('has a row of expected statuses, and is in the OpenAPI document', () => {
    expect(rowsWithoutCall(app)).toEqual([]);
    const described = Object.entries(faults.described.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect(described.sort()).toEqual(
      everyCall(app)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each(CALLERS)(
    'answers the %s caller with the expected status and the declared fields only',
    async (as) => {
      // A scene of its own: what one caller does to an order matters to the next.
      const scene = await makeScene(app);
      const given: Record<string, number> = {};
      const expected: Record<string, number> = {};
      for (const known of everyCall(app)) {
        const answered = await ask(await callerOf[as](scene), known, scene, as);
        given[known.name] = answered.status;
        expected[known.name] = known.row.statuses[as];
        const body = known.row.body?.(scene, as);
        if (body) expect([known.name, faults.ofBody(known.call, body)]).toEqual([known.name, '']);
        expect([known.name, faults.ofAnswer(known.call, answered)]).toEqual([known.name, '']);
      }
      expect(given).toEqual(expected);
    },
  );

  test('shows the history of an order to staff only', async () => {
    const path = `/api/orders/${scene.orderId}`;
    expect((await scene.owner.get(path)).json.history).toBeUndefined();
    const { history } = (await (await app.staff()).get(path)).json;
    expect(history[0]).toMatchObject({ status: 'pending', cause: 'order placed' });
  });

  test('gives identical answers for a missing order and for someone else’s', async () => {
    const bytes = ({ status, headers, text }: Answered) => {
      const lines = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      return JSON.stringify([status, lines, text]);
    };
    for (const caller of [app.visitor(), stranger]) {
      const answers = new Set<string>();
      for (const id of [scene.orderId, scene.orderId + 1000, 2 ** 31, 'abc', '0']) {
        answers.add(bytes(await caller.get(`/api/orders/${id}`)));
      }
      expect(answers.size).toBe(1);
      const updates = new Set<string>();
      for (const id of [scene.orderId, scene.orderId + 1000]) {
        const body = { status: 'paid', paymentId: `test_payment_${scene.orderId}` };
        updates.add(bytes(await caller.post(`/api/orders/${id}/update-status`, body)));
      }
      expect([...updates]).toEqual([expect.stringContaining('[404')]);
    }
  });

  test('answers unknown paths under /api with JSON', async () => {
    const paths = [
      '',
      '/',
      '/nothing',
      '/plans/',
      '/PLANS',
      '/orders',
      '/orders/1/2',
      '/%zz',
      '/a%00b',
    ];
    for (const path of paths) {
      const { status, json } = await app.visitor().get(`/api${path}`);
      expect([path, status, faults.ofRefusal(json)]).toEqual([path, 404, '']);
    }
  });
});
