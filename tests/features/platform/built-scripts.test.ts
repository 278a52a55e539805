/** What the built scripts hold: nothing of the server's own, and nothing that is missing over plain http. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createBuilder } from 'vite';
import { describe, expect, inject, test } from 'vitest';

/** What exists in secure contexts only. */
const SECURE_ONLY =
  /randomUUID|crypto\.subtle|navigator\.(?:clipboard|credentials|locks|mediaDevices|permissions|serviceWorker|share|storage|wakeLock|bluetooth|geolocation|usb)|\bcaches\.|cookieStore|showOpenFilePicker|showSaveFilePicker|new Notification\(|PublicKeyCredential|PaymentRequest/g;

/** The build is the same whatever the database. */
describe.runIf(inject('engine') === 'sqlite')('the wall', () => {
  const files = globSync('dist/client/assets/*.js');
  const built = files.map((file) => readFileSync(file, 'utf8')).join('\n');

  test('keeps tables, variables and Node’s modules out of the built scripts', () => {
    const words =
      /orderAccess|passwordHash|tokenHash|showroom-demo|DATABASE_URL|ADMIN_PASSWORD|STRIPE_SECRET|node:(?:crypto|fs|http|net|path|sqlite|zlib)|kysely|argon2|process\.env/g;
    expect([...new Set(built.match(words))]).toEqual([]);
  });

  test('lets no script need what a browser has over https alone', () => {
    expect(files.length).toBeGreaterThan(20);
    expect([...new Set(built.match(SECURE_ONLY))]).toEqual([]);
  });

  test('breaks the build that would take a server file along', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-wall-'));
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
    rmSync(folder, { recursive: true });
  });
});
