import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertSubmission } from '../../../tests/support/staff-steps.ts';
import { sharedTestApp } from '../../../tests/support/test-app.ts';
import { emailField } from '../fields.ts';
import { sameEmail } from './queries.server.ts';

describe('an email address', () => {
  const app = sharedTestApp();

  async function finds(searched: string, stored: string): Promise<boolean> {
    const { db } = app.database;
    await db.deleteFrom('threads').execute();
    await insertSubmission(app, { email: emailField().parse(stored) });
    const found = db.selectFrom('threads').where(sameEmail('email', emailField().parse(searched)));
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

  test('is refused if the database would find it as one in ASCII, so no one can pass for someone else', async () => {
    const codes = Array.from({ length: 0x1ffff - 0x7f }, (_, index) => 0x80 + index);
    const letters = codes
      .map((code) => String.fromCodePoint(code))
      .filter((one) => one.isWellFormed());
    const lower = sql<{
      letters: string;
    }>`select lower(cast(${letters.join('\n')} as text)) as letters`;
    const { rows } = await lower.execute(app.database.db);
    const lowered = rows[0]?.letters.split('\n') ?? [];
    expect(lowered).toHaveLength(letters.length);
    const confusable = letters.filter((_, index) => /\p{ASCII}/u.test(lowered[index] ?? ''));
    expect(confusable).toContain('\u212a');
    const accepts = (letter: string) => emailField().safeParse(`a${letter}n@b.example`).success;
    expect(confusable.filter(accepts)).toEqual([]);
  });
});
