import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder. It goes with the run's temporary folder (memory-folder.ts), so a test need not remove it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'site-test-'));
}
