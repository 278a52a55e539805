/** Pages are finished before they are requested, which takes little of the thread that answers. */
import { beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../src/platform/time.ts';
import { STAFF_PATHS } from '../../../src/routes.ts';
import { changeItem } from '../../support/change-item.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestApp } from '../../support/test-app.ts';

const rendered = vi.fn();
const compressed = vi.fn();
let app: TestApp;
/** Calls of `prerender`: two for each page, its document and its content. */
let pages: number;
/** A site whose pages are finished, on modules of its own. */
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('react-dom/static', async (original) => {
    const plain = await original<typeof import('react-dom/static')>();
    const prerender: typeof plain.prerender = (...all) => {
      rendered();
      return plain.prerender(...all);
    };
    return { ...plain, prerender };
  });
  vi.doMock('node:zlib', async (original) => {
    const plain = await original<typeof import('node:zlib')>();
    const brotliCompress = (...all: Parameters<typeof plain.brotliCompress>) => {
      compressed();
      plain.brotliCompress(...all);
    };
    const onTheThread = () => {
      throw new Error('compressed on the thread that answers');
    };
    return { ...plain, brotliCompress, brotliCompressSync: onTheThread, gzipSync: onTheThread };
  });
  const { startTestApp } = await import('../../support/test-app.ts');
  app = await startTestApp();
  await app.site.preparePages();
  pages = rendered.mock.calls.length;
  return async () => {
    await app.stop();
    vi.doUnmock('react-dom/static');
    vi.doUnmock('node:zlib');
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
  ...[1, 37, 1000].map(
    (users) => `/checkout?plan=2&microsoft365=e3&ms365_users=${users}&x=${users}`,
  ),
  '/checkout?plan=1&payment_intent_client_secret=x',
  '/checkout?quote=token&plan=2',
  '/checkout?quote=token&placed=1',
  '/checkout/order',
  '/quote/token',
  '/admin-login',
  '/admin/orders',
];

/** Waits until so many pages have been rendered again. Returns how many of them were compressed. */
async function preparedAgain(count: number): Promise<number> {
  const before = rendered.mock.calls.length;
  compressed.mockClear();
  await eventually(() => expect(rendered.mock.calls.length).toBeGreaterThanOrEqual(before + count));
  return compressed.mock.calls.length;
}

test('pages are rendered at the start and when a price changes, never for a request', async () => {
  const visitAll = async () => {
    const before = rendered.mock.calls.length;
    for (const path of PATHS) expect([200, 404]).toContain((await app.visitor().get(path)).status);
    expect(rendered.mock.calls.length).toBe(before);
  };
  await visitAll();
  await changeItem(app.database.db, 'plans', 1, { price: 123 });
  await preparedAgain(pages);
  expect((await app.visitor().get('/')).text).toContain('$123');
  await visitAll();
});

test('at midnight no page is compressed again whose text is the same', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
  // /.well-known/security.txt names a day.
  expect(await preparedAgain(pages - 2 * STAFF_PATHS.length)).toBeLessThanOrEqual(1);
});
