/** What is the server's own never travels to a browser. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createBuilder } from 'vite';
import { describe, expect, inject, test } from 'vitest';

/** Texts of some length that stand in quotes in these files. */
function texts(files: readonly string[]): string[] {
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(['`"])((?:(?!\1)[^\n\\]){16,})\1/g)].map(
      ([, , text = '']) => text,
    ),
  );
}

/** The build is the same whatever the database. */
describe.runIf(inject('engine') === 'sqlite')('the wall', () => {
  const built = globSync('dist/client/assets/*.js')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const sources = globSync('src/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
  const isServer = (file: string) => /\.server\.tsx?$/.test(file);

  test('keeps the texts of server files out of the built scripts', () => {
    const shared = sources
      .filter((file) => !isServer(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const secret = texts(sources.filter(isServer)).filter(
      (text) => text.includes(' ') && !text.includes('${') && !shared.includes(text),
    );
    expect(secret.length).toBeGreaterThan(50);
    expect(secret.filter((text) => built.includes(text))).toEqual([]);
    // The search does find what is in them.
    const known = texts(sources.filter((file) => file.endsWith('-page.tsx')));
    expect(known.filter((text) => built.includes(text)).length).toBeGreaterThan(50);
  });

  test('keeps tables, variables and Node’s modules out of them too', () => {
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
