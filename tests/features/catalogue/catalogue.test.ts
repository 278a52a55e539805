import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeItem } from '../../support/change-item.ts';
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
    await changeItem(app.database.db, 'plans', 1, { features: ['a feature of yesterday'] });
    const home = async () => (await app.visitor().get('/')).text;
    const list = async () => (await app.visitor().get('/api/plans')).json[0].features;
    await eventually(async () => {
      const shown = (await home()).includes('a feature of yesterday');
      expect([await list(), shown]).toEqual([['a feature of yesterday'], true]);
    });
    const first = await app.visitor().post('/api/update-plans');
    expect(first.json).toEqual({ success: true, updated: 1 });
    expect(await home()).not.toContain('a feature of yesterday');
    expect(await list()).not.toContain('a feature of yesterday');
    const again = await app.visitor().post('/api/update-plans');
    expect(again.json).toEqual({ success: true, updated: 0 });
  });
});
