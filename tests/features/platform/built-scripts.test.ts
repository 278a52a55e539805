/** The built scripts contain no server code, and use nothing that browsers lack over plain http. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createBuilder } from 'vite';
import { describe, expect, inject, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { variant } from '../../support/variant.ts';

/** APIs that exist in secure contexts only. */
const SECURE_ONLY =
  /randomUUID|crypto\.subtle|navigator\.(?:clipboard|credentials|locks|mediaDevices|permissions|serviceWorker|share|storage|wakeLock|bluetooth|geolocation|usb)|\bcaches\.|cookieStore|showOpenFilePicker|showSaveFilePicker|new Notification\(|PublicKeyCredential|PaymentRequest/g;

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

  // In the gate, .dependency-cruiser.mjs lets nothing that a browser loads reach a server file.
  variant('fails when it would include a server file', async () => {
    const folder = temporaryFolder();
    const build = async (imported: string) => {
      const entry = join(folder, 'entry.ts');
      writeFileSync(entry, `import * as all from '${resolve(imported)}';\nconsole.log(all);\n`);
      const builder = await createBuilder({
        configFile: 'vite.config.ts',
        logLevel: 'silent',
        environments: {
          client: { build: { outDir: join(folder, 'out'), rolldownOptions: { input: entry } } },
        },
      });
      const { client } = builder.environments;
      return client && builder.build(client);
    };
    await expect(build('src/platform/log.server.ts')).rejects.toThrow('must not reach the browser');
    await expect(build('src/platform/money.ts')).resolves.toBeDefined();
  });
});
