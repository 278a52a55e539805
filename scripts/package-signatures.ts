/** Whether the installed packages are those that their registry signed. */
import { spawnSync } from 'node:child_process';

interface Audit {
  invalid?: unknown[];
  missing?: unknown[];
}

/** Undefined where nobody can tell: no way to the registry's keys, or a registry that signs nothing. */
export function packageSignaturesHold(): boolean | undefined {
  const { stdout } = spawnSync(
    'npm',
    ['audit', 'signatures', '--json', '--fetch-retries=0', '--fetch-timeout=10000'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const { invalid, missing } = readAudit(stdout);
  return invalid && missing && invalid.length + missing.length === 0;
}

function readAudit(json: string): Audit {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
