import { expect, test } from 'vitest';
import { csvDownload, figure, writtenNumber } from './file-download.server.ts';

test('a canceled download stops reading rows', async () => {
  let ended = false;
  async function* rows() {
    try {
      for (;;) yield [{ line: 'a line' }];
    } finally {
      ended = true;
    }
  }
  const reader = csvDownload('log', { line: ({ line }) => line }, rows()).body?.getReader();
  await reader?.read();
  await reader?.read();
  await reader?.cancel();
  expect(ended).toBe(true);
});

test('Excel reads accents in a CSV, and takes no cell for a formula, in East Asia neither', async () => {
  const texts = ['José', '＝1+1', '＋1', '－1', '＠SUM(1)', 'a\n=1', 'x;＝1', 'x;"＝1', '1＝1'];
  async function* rows() {
    yield texts.map((text) => ({ text }));
  }
  const file = await csvDownload('orders', { text: ({ text }) => text }, rows()).arrayBuffer();
  expect(Buffer.from(file).toString()).toBe(
    `\uFEFFtext\r\n"José"\r\n"'＝1+1"\r\n"'＋1"\r\n"'－1"\r\n"'＠SUM(1)"\r\n"a\n'=1"\r\n"x;'＝1"\r\n"x;'""＝1"\r\n"1＝1"\r\n`,
  );
});

test('Excel keeps the zeros of a purchase order or a check, and an amount stays one', async () => {
  const cells = { a: () => writtenNumber('0012E4'), b: () => figure('-450.00'), n: () => 7 };
  const file = await csvDownload('x', cells, [[{}]]).text();
  expect(file).toMatch(/\r\n"=""0012E4""",-450\.00,7\r\n$/);
});
