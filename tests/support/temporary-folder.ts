import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, which goes with the run's own (memory-folder.ts). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'site-test-'));
}
