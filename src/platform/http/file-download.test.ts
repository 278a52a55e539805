import { expect, test } from 'vitest';
import { csvDownload } from './file-download.server.ts';

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
