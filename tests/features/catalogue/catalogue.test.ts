import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe('the catalogue', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('lists plans with their prices in dollars', async () => {
    const { status, json } = await app.visitor().get('/api/plans');
    expect(status).toBe(200);
    expect(json.map((plan: { name: string; price: number }) => [plan.name, plan.price])).toEqual([
      ['Essential', 450],
      ['Professional', 850],
      ['Enterprise', 1950],
    ]);
  });

  test('update-plans writes only what differs', async () => {
    await app.database.db
      .updateTable('plans')
      .set({ features: '["a feature of yesterday"]' })
      .where('id', '=', 1)
      .execute();
    const home = async () => (await app.visitor().get('/')).text;
    const list = async () => (await app.visitor().get('/api/plans')).json[0].features;
    await eventually(async () => {
      const { features } = await app.database.db
        .selectFrom('plans')
        .select('features')
        .where('id', '=', 1)
        .executeTakeFirstOrThrow();
      const shown = (await home()).includes('a feature of yesterday');
      expect([features, await list(), shown]).toEqual([
        '["a feature of yesterday"]',
        ['a feature of yesterday'],
        true,
      ]);
    });
    const first = await app.visitor().post('/api/update-plans');
    expect(first.json).toEqual({ success: true, updated: 1 });
    expect(await home()).not.toContain('a feature of yesterday');
    expect(await list()).not.toContain('a feature of yesterday');
    const again = await app.visitor().post('/api/update-plans');
    expect(again.json).toEqual({ success: true, updated: 0 });
  });
});
