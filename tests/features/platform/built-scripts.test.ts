/** The built scripts contain no server code, and use nothing that browsers lack over plain http. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';

/** APIs that exist in secure contexts only. */
const SECURE_ONLY =
  /randomUUID|crypto\.subtle|navigator\.(?:clipboard|credentials|locks|mediaDevices|permissions|serviceWorker|share|storage|wakeLock|bluetooth|geolocation|usb)|\bcaches\.|cookieStore|showOpenFilePicker|showSaveFilePicker|PublicKeyCredential|PaymentRequest/g;

/** Once: the build does not depend on the database. */
describe.runIf(inject('engine') === 'sqlite')('the client build', () => {
  const files = globSync('dist/client/assets/*.js');
  const built = files.map((file) => readFileSync(file, 'utf8')).join('\n');

  test('contains no tables, variables or Node modules', () => {
    const words =
      /orderAccess|passwordHash|tokenHash|showroom-demo|DATABASE_URL|ADMIN_PASSWORD|STRIPE_SECRET|node:(?:crypto|fs|http|net|path|sqlite|zlib)|kysely|argon2|process\.env/g;
    expect([...new Set(built.match(words))]).toEqual([]);
  });

  test('uses no API that browsers offer over https only', () => {
    expect(files.length).toBeGreaterThan(20);
    expect([...new Set(built.match(SECURE_ONLY))]).toEqual([]);
  });
});
