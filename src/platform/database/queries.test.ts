import { describe, expect, test } from 'vitest';
import { sharedTestApp } from '../../../tests/support/test-app.ts';
import { sameEmail } from './queries.server.ts';

describe('an email address', () => {
  const app = sharedTestApp();

  async function finds(searched: string, stored: string): Promise<boolean> {
    const { db } = app.database;
    const message = { name: 'Jane', message: 'Hello', mark: 'new' as const, createdAt: Date.now() };
    await db.deleteFrom('contactSubmissions').execute();
    await db
      .insertInto('contactSubmissions')
      .values({ ...message, email: stored })
      .execute();
    const found = db
      .selectFrom('contactSubmissions')
      .select('id')
      .where(sameEmail('email', searched));
    return (await found.executeTakeFirst()) !== undefined;
  }

  test('is found whatever its case, in any language', async () => {
    expect(await finds('jane@dealer.example', 'JANE@Dealer.example')).toBe(true);
    expect(await finds('JANE@dealer.example', 'jane@dealer.example')).toBe(true);
    expect(await finds('ärger@dealer.example', 'ÄRGER@dealer.example')).toBe(true);
    expect(await finds('jane@dealer.example', 'june@dealer.example')).toBe(false);
  });

  test('is not confused with one whose letters only have the same capitals', async () => {
    // U+0131, whose capital is an ASCII I.
    expect(await finds('ian@dealer.example', 'ıan@dealer.example')).toBe(false);
    expect(await finds('ıan@dealer.example', 'ian@dealer.example')).toBe(false);
  });
});
