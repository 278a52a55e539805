/** Sign-in at a provider from Debian, beside those that `openid-provider.ts` imitates. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { outcomeOf } from '../support/openid-provider.ts';
import { type RunningProcess, runProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { OWN_PASSWORD } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';
import { hasGlewlwyd, OUTSIDER, STAFF, startGlewlwyd } from './glewlwyd.ts';

describe.runIf(hasGlewlwyd())('at Glewlwyd', () => {
  let provider: Awaited<ReturnType<typeof startGlewlwyd>>;
  let site: RunningProcess;
  let variables: Record<string, string>;
  beforeAll(async () => {
    const PORT = String(await freePort());
    const PUBLIC_URL = `http://127.0.0.1:${PORT}`;
    provider = await startGlewlwyd(PUBLIC_URL);
    variables = {
      ...{ PORT, PUBLIC_URL, DATA_DIR: temporaryFolder() },
      ...OWN_PASSWORD,
      ...provider.variables,
    };
    site = await startServer(variables);
  });
  afterAll(async () => {
    provider?.stop();
    await site?.stop();
  });

  async function signIn(visitor: Visitor, person: object): Promise<string | null> {
    const { headers } = await visitor.get('/api/admin/oidc');
    const back = await provider.through(headers.get('location') ?? '', person);
    return outcomeOf(await visitor.get(back.replace(site.address, '')));
  }

  test('a colleague signs in with the work account, and reads the inbox', async () => {
    const dana = new Visitor(site.address);
    expect(await signIn(dana, STAFF)).toBe('in');
    expect((await dana.get('/api/admin/contacts')).status).toBe(200);
    expect((await dana.get('/api/admin/session')).text).toContain('Dana Whitfield');
  });

  test('a person of the company without the group is not let in', async () => {
    const riley = new Visitor(site.address);
    expect(await signIn(riley, OUTSIDER)).toBe('not-allowed');
    expect((await riley.get('/api/admin/contacts')).status).toBe(401);
  });

  test('the doctor finds the provider, and takes its secret for right', async () => {
    const { output } = await runProcess('dist/server/doctor.cjs', variables);
    expect(output).toMatch(/^ok +sign-in/m);
    expect(output).not.toMatch(/^error +sign-in/m);
  });
});
