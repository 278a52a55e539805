import { expect, test } from 'vitest';
import { csvDownload, figure } from './file-download.server.ts';

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
  const texts = ['José', '＝1+1', '＋1', '－1', '＠SUM(1)', '\n=1', 'x;＝1', 'x;"＝1', '1＝1'];
  async function* rows() {
    yield texts.map((text) => ({ text }));
  }
  const file = await csvDownload('orders', { text: ({ text }) => text }, rows()).arrayBuffer();
  expect(Buffer.from(file).toString()).toBe(
    `\uFEFFtext\r\n"José"\r\n"'＝1+1"\r\n"'＋1"\r\n"'－1"\r\n"'＠SUM(1)"\r\n"'\n=1"\r\n"x;'＝1"\r\n"x;'""＝1"\r\n"1＝1"\r\n`,
  );
});

const cellsOf = async (texts: string[]) => {
  const rows = texts.map((text) => ({ text }));
  const file = await csvDownload('orders', { text: ({ text }) => text }, [rows]).text();
  return file.split('\r\n').slice(1, -1);
};

test('Excel keeps a text that it takes for a number, a day or a time, and an amount stays one', async () => {
  const texts = [
    ...['0012345', '4500012345678901', '12E4', '1e-5', '3/4', '1 1/2', '3-2', '+1', '-7', '(5)'],
    ...['MAR-26', 'Mar 26', '26. März', 'DEZ-1', '26 March 2026', '2026-11-26', '1:30', '5:30 PM'],
    ...[
      '50%',
      '$5',
      '€1.000,50',
      "1'000",
      '+1 (770) 555-0134',
      ' 0042 ',
      '.5',
      '1.2.3',
      '1 p',
      '１２３',
      // As French and Swiss spreadsheets write thousands.
      '1\u00a0234',
      '1\u202f234',
      '₹500',
      'Mar 26, 2026 5:30 PM',
      '5 Mai 8 am',
      'Thursday, November 26, 2026',
      '2026年11月26日',
    ],
  ];
  expect(await cellsOf(texts)).toEqual(texts.map((text) => `"=""${text}"""`));
  const words = ['Acme 3', 'C-12 and C-13', 'Fox', '', '2026-11-26T10:00:00Z', '12 x 3'];
  expect(await cellsOf(words)).toEqual([
    `"=""Acme 3"""`,
    ...words.slice(1).map((text) => `"${text}"`),
  ]);
  const figures = csvDownload('x', { a: () => figure('450.00'), n: () => 7 }, [[{}]]);
  expect(await figures.text()).toMatch(/\r\n450\.00,7\r\n$/);
});

test('what could be a formula with a number in it stays text behind an apostrophe', async () => {
  const texts = ['=1+1', '=0012', '@1', '-1+cmd|1', '\t1', '+1;=2'];
  for (const cell of await cellsOf(texts)) expect(cell).not.toMatch(/^"=/);
  expect(await cellsOf(['=1+1', '@1'])).toEqual([`"'=1+1"`, `"'@1"`]);
});
