import { describe, expect, test } from 'vitest';
import { insertSubmission } from '../../../tests/support/staff-steps.ts';
import { sharedTestApp } from '../../../tests/support/test-app.ts';
import { sameEmail } from './queries.server.ts';

describe('an email address', () => {
  const app = sharedTestApp();

  async function finds(searched: string, stored: string): Promise<boolean> {
    const { db } = app.database;
    await db.deleteFrom('contactSubmissions').execute();
    await insertSubmission(app, { email: stored });
    const found = db.selectFrom('contactSubmissions').where(sameEmail('email', searched));
    return (await found.select('id').executeTakeFirst()) !== undefined;
  }

  test('is found whatever its case, in any language', async () => {
    expect(await finds('JANE@dealer.example', 'jane@dealer.example')).toBe(true);
    expect(await finds('ärger@dealer.example', 'ÄRGER@dealer.example')).toBe(true);
  });

  test('is not confused with one whose letters only have the same capitals', async () => {
    // U+0131, whose capital is an ASCII I.
    expect(await finds('ian@dealer.example', 'ıan@dealer.example')).toBe(false);
    expect(await finds('ıan@dealer.example', 'ian@dealer.example')).toBe(false);
  });
});
