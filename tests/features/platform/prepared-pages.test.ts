import { beforeEach, expect, test, vi } from 'vitest';
import { changeItem } from '../../support/change-item.ts';
import { eventually } from '../../support/eventually.ts';

const rendered = vi.fn();
beforeEach(() => {
  vi.resetModules();
  vi.doMock('react-dom/static', async (original) => {
    const plain = await original<typeof import('react-dom/static')>();
    const prerender: typeof plain.prerender = (...all) => {
      rendered();
      return plain.prerender(...all);
    };
    return { ...plain, prerender };
  });
  return () => {
    vi.doUnmock('react-dom/static');
    vi.resetModules();
  };
});

const PATHS = [
  '/',
  '/news',
  '/privacy-policy',
  '/nowhere',
  '/sitemap.xml',
  '/checkout',
  '/checkout/2',
  '/checkout?plan=3&microsoft365=e3&ms365_users=37&cloud_backup=true',
  '/checkout?plan=1&payment_intent_client_secret=x',
  '/checkout?quote=token&plan=2',
  '/checkout/order',
  '/quote/token',
  '/admin-login',
  '/admin/orders',
];

test('pages are rendered at the start and when a price changes, never for a request', async () => {
  const { ownTestApp } = await import('../../support/test-app.ts');
  const app = await ownTestApp();
  const visitAll = async () => {
    for (const path of PATHS) expect([200, 404]).toContain((await app.visitor().get(path)).status);
  };
  await app.site.preparePages();
  const atStart = rendered.mock.calls.length;
  expect(atStart).toBeGreaterThan(50);
  await visitAll();
  expect(rendered).toHaveBeenCalledTimes(atStart);

  await changeItem(app.database.db, 'plans', 1, { price: 123 });
  await eventually(() => expect(rendered.mock.calls.length).toBe(2 * atStart));
  expect((await app.visitor().get('/')).text).toContain('$123');
  await visitAll();
  expect(rendered).toHaveBeenCalledTimes(2 * atStart);
});
