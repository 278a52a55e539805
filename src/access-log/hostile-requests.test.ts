/** Whatever strangers send, the log's lines and cells stay what they are. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOSTILE_CELLS, HOSTILE_LINES, HOSTILE_TEXTS } from '../../tests/support/hostile-texts.ts';
import { parseCsv } from '../../tests/support/parse-csv.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { AccessLog } from './access-log.server.ts';
import { logsAnswer } from './analytics.ts';

describe('in the access log', () => {
  let app: TestApp;
  let staff: Visitor;
  beforeEach(async () => {
    app = await startTestApp();
    staff = await app.staff();
  });
  afterEach(() => app.stop());

  async function rawLines(): Promise<string[]> {
    const { json } = await staff.get('/api/admin/logs');
    return logsAnswer.parse(json).logs?.split('\n') ?? [];
  }

  test('no agent or referrer forges a line or a field', async () => {
    const agents = [
      'quo"te',
      'back\\',
      'tab\there',
      '" 200 1 "-" "x',
      'umlaut ü',
      '<script>alert(1)</script>',
    ];
    for (const agent of agents) {
      await app.visitor().get('/', { 'User-Agent': Buffer.from(agent).toString('latin1') });
    }
    const lines = await rawLines();
    expect(lines).toHaveLength(agents.length + 1);
    for (const line of lines) {
      expect(line).toMatch(/^\S+ - - \[[^\]]+\] "[^"]*" \d{3} \d+ "[^"]*" "[^"]*" \d+$/);
      expect(line).toMatch(/^[\x20-\x7e]+$/);
    }
    expect(
      lines
        .map((line) => /"([^"]*)" \d+$/.exec(line)?.[1])
        .reverse()
        .slice(1),
    ).toEqual([
      'quo\\x22te',
      'back\\x5C',
      'tab\\x09here',
      '\\x22 200 1 \\x22-\\x22 \\x22x',
      'umlaut \\xC3\\xBC',
      '<script>alert(1)</script>',
    ]);
  });

  test('no text of any kind leaves its cell, its field or its line, or is a formula', async () => {
    const texts = [...HOSTILE_TEXTS, ...HOSTILE_CELLS, ...HOSTILE_LINES];
    expect(texts.length).toBeGreaterThan(400);
    const log = new AccessLog(app.database, 'site.example');
    const now = Date.now();
    for (const [index, text] of texts.entries()) {
      log.take({
        at: now - index,
        ip: text,
        method: 'GET',
        url: `/?${text}`,
        status: 200,
        durationUs: index,
        bytes: index,
        referrer: text,
        userAgent: text,
      });
    }
    await log.close();

    const lines = (await rawLines()).filter((line) => line.includes('"GET /?'));
    expect(lines).toHaveLength(texts.length);
    for (const line of lines) {
      expect(line).toMatch(/^- - - \[[^\]]+\] "[^"]*" 200 \d+ "[^"]*" "[^"]*" \d+$/);
      expect(line).toMatch(/^[\x20-\x7e]+$/);
    }
    const rows = parseCsv((await staff.get('/api/admin/logs/download')).text).filter(
      ([, ip]) => ip === '',
    );
    expect(rows.map((row) => [row.length, row[6]])).toEqual(
      texts.map((_, index) => [9, String(index)]),
    );
    for (const row of rows) {
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      // As a spreadsheet reads the line where ';' parts the cells.
      for (const cell of row.join(',').split(';').slice(1))
        expect(cell).not.toMatch(/^"*[=+\-@\t\r]/);
    }
  });
});
