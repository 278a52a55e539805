/**
 * `npm run doctor`: looks at everything that the site needs where it runs, and says of each finding what mends it. Run it
 * with the server's environment. `--send` sends test notifications too, `--json` is for programs; the exit status is 1
 * when there is an error.
 */
import { parseArgs } from 'node:util';
import { type Content, readContent } from '../src/content.server.ts';
import { reason } from '../src/platform/config/cannot-start.server.ts';
import { type Env, readEnv } from '../src/platform/config/env.server.ts';
import { runCommand } from './command.ts';
import { checkDatabase } from './doctor/database.ts';
import { type Check, type Finding, failure } from './doctor/finding.ts';
import {
  checkClock,
  checkConfiguration,
  checkContent,
  checkDisk,
  checkPermissions,
} from './doctor/machine.ts';
import { checkPublicUrl } from './doctor/public-url.ts';
import { checkMail, checkStripe, checkTeams } from './doctor/services.ts';

/** In the order in which they are printed; permissions before the database, which sets them when it is opened. */
const CHECKS: Record<string, Check> = {
  configuration: checkConfiguration,
  content: checkContent,
  clock: checkClock,
  disk: checkDisk,
  permissions: checkPermissions,
  database: checkDatabase,
  address: checkPublicUrl,
  stripe: checkStripe,
  teams: checkTeams,
  mail: checkMail,
};

type NamedFinding = Finding & { check: string };

void runCommand(async () => {
  const options = { json: { type: 'boolean' }, send: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  const findings = await examine(values.send === true);
  if (values.json) console.log(JSON.stringify(findings, null, 2));
  else print(findings);
  process.exitCode = findings.some(({ level }) => level === 'error') ? 1 : 0;
});

async function examine(send: boolean): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  const add = (check: string, found: Finding[]) => {
    for (const finding of found) findings.push({ check, ...finding });
  };
  let env: Env;
  let content: Content | undefined;
  try {
    env = readEnv(process.env);
  } catch (error) {
    add('configuration', [failure(reason(error), 'Mend these; .env.example explains each.')]);
    return findings;
  }
  try {
    content = readContent('content', env.keepMessagesDays);
  } catch (error) {
    add('content', [failure(reason(error), 'Mend these files, or the server does not start.')]);
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      add(name, await check({ env, content, send }));
    } catch (error) {
      add(name, [
        failure(`could not be examined: ${reason(error)}`, 'The reason says what to mend.'),
      ]);
    }
  }
  return findings;
}

function print(findings: readonly NamedFinding[]): void {
  for (const { level, check, text, cure } of findings) {
    console.log(`${level.padEnd(8)} ${check.padEnd(14)} ${text}`);
    if (cure) console.log(`${' '.repeat(24)}→ ${cure}`);
  }
  const count = (wanted: Finding['level']) =>
    findings.filter(({ level }) => level === wanted).length;
  console.log(`${count('error')} errors, ${count('warning')} warnings, ${count('ok')} in order`);
}
