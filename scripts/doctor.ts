/**
 * `npm run doctor`: checks everything that the site needs where it runs, and says how to fix each
 * finding. Run it with the server's environment. `--send` also sends test notifications, the email
 * to staff or to the address that follows; `--json` is for programs. The exit status is 1 if there
 * is an error.
 */
import { parseArgs } from 'node:util';
import { readContent } from '../src/content.server.ts';
import { readEnv } from '../src/env.server.ts';
import { reason } from '../src/platform/config/cannot-start.server.ts';
import { runCommand } from './command.ts';
import { checkDatabase } from './doctor/database.ts';
import {
  checkClock,
  checkConfiguration,
  checkContent,
  checkDisk,
  checkPermissions,
} from './doctor/machine.ts';
import { checkPublicUrl } from './doctor/public-url.ts';
import { type Check, type Circumstances, type Finding, Report } from './doctor/report.ts';
import { CHANNEL_CHECKS, checkPayments } from './doctor/services.ts';
import { checkSignIn } from './doctor/sign-in.ts';
import { checkUpkeep } from './doctor/upkeep.ts';

/** In the order of the output. Opening the database sets the permissions. */
const CHECKS: Record<string, Check> = {
  configuration: checkConfiguration,
  content: checkContent,
  upkeep: checkUpkeep,
  clock: checkClock,
  disk: checkDisk,
  permissions: checkPermissions,
  database: checkDatabase,
  address: checkPublicUrl,
  payments: checkPayments,
  ...CHANNEL_CHECKS,
  'sign-in': checkSignIn,
};

void runCommand(async () => {
  const options = { json: { type: 'boolean' }, send: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const findings = await examine({ send: values.send === true, sendTo: positionals[0] });
  if (values.json) console.log(JSON.stringify(findings, null, 2));
  else print(findings);
  process.exitCode = findings.some(({ level }) => level === 'error') ? 1 : 0;
});

/** A configuration or content with which no server starts is reported alone. */
async function examine(sending: Pick<Circumstances, 'send' | 'sendTo'>): Promise<Finding[]> {
  const report = new Report();
  const attempt = async (name: string, act: () => void | Promise<void>) => {
    report.check = name;
    try {
      await act();
    } catch (error) {
      report.error(reason(error), 'Mend this, and run the command again.');
    }
  };
  await attempt('configuration', async () => {
    const env = readEnv(process.env);
    const content = readContent(env.contentDir, env.keepMessagesDays);
    for (const [name, check] of Object.entries(CHECKS))
      await attempt(name, () => check(report, { env, content, ...sending }));
  });
  return report.findings;
}

function print(findings: readonly Finding[]): void {
  for (const { level, check, text, cure } of findings) {
    console.log(`${level.padEnd(8)} ${check.padEnd(14)} ${text}`);
    if (cure) console.log(`${' '.repeat(24)}→ ${cure}`);
  }
  const count = (level: Finding['level']) =>
    findings.filter((finding) => finding.level === level).length;
  console.log(`${count('error')} errors, ${count('warning')} warnings, ${count('ok')} in order`);
}
