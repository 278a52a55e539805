/** What is the server's own never travels to a browser. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createBuilder } from 'vite';
import { describe, expect, inject, test } from 'vitest';

/** The build is the same whatever the database. */
describe.runIf(inject('engine') === 'sqlite')('the wall', () => {
  const built = globSync('dist/client/assets/*.js')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  test('keeps tables, variables and Node’s modules out of the built scripts', () => {
    const words =
      /orderAccess|passwordHash|tokenHash|showroom-demo|DATABASE_URL|ADMIN_PASSWORD|STRIPE_SECRET|node:(?:crypto|fs|http|net|path|sqlite|zlib)|kysely|argon2|process\.env/g;
    expect([...new Set(built.match(words))]).toEqual([]);
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
