import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import type { Database } from '../src/platform/database/database.server.ts';
import { isDatabaseUnavailable } from '../src/platform/database/database-unavailable.server.ts';

/**
 * Runs a command. An error that the user can fix, such as a folder that cannot be written, is
 * printed without a stack; the exit status is 1 for any error.
 */
export async function runCommand(act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code, syscall }: NodeJS.ErrnoException = Object(error);
    const isTheirs = syscall !== undefined || code?.startsWith('ERR_PARSE_ARGS');
    const isKnown = error instanceof CannotStart || isTheirs || isDatabaseUnavailable(error);
    console.error(isKnown ? reason(error) : error);
    process.exitCode = 1;
  }
}

/** Closes the database afterwards in any case. */
export async function withDatabase<Result>(
  opening: Promise<Database>,
  act: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await opening;
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}
