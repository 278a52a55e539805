import { expect, test } from 'vitest';
import { csvDownload } from './csv-download.server.ts';

test('a download that breaks off ends the reading of what it would have held', async () => {
  let ended = false;
  async function* pieces() {
    try {
      for (;;) yield 'a line\r\n';
    } finally {
      ended = true;
    }
  }
  const reader = csvDownload('log', 'head\r\n', pieces()).body?.getReader();
  await reader?.read();
  await reader?.read();
  await reader?.cancel();
  expect(ended).toBe(true);
});
