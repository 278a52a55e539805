/**
 * `npm run erase-again`: after a copy was restored, erases the persons again who were erased since
 * it was made, as BACKUP_DIR lists them. It may run beside the server.
 */
import { readEnv } from '../src/env.server.ts';
import { CannotStart } from '../src/platform/config/cannot-start.server.ts';
import { openDatabase } from '../src/platform/database/database.server.ts';
import { emptyWriteAheadLog } from '../src/platform/database/sqlite.server.ts';
import { eraseAgain } from '../src/privacy/erase-person.server.ts';
import { findErasedAgain } from '../src/privacy/erasures-file.server.ts';
import { runCommand, withDatabase } from './command.ts';

void runCommand(async () => {
  const env = readEnv(process.env);
  const { backups } = env;
  if (!backups)
    throw new CannotStart('BACKUP_DIR is not set: erasures are listed there, beside the copies');
  await withDatabase(openDatabase(env, { alongsideServer: true }), async (database) => {
    const emails = await findErasedAgain(database.db, backups.folder);
    let left = 0;
    for (const email of emails) {
      const isErased = await eraseAgain(database.db, email);
      if (!isErased) left += 1;
      const words = isErased
        ? 'erased again'
        : 'an order has not ended: end it, and run this again';
      console.log(`${email}: ${words}`);
    }
    await emptyWriteAheadLog(database);
    console.log(`${emails.length - left} erased again, ${left} left`);
    if (left > 0) process.exitCode = 1;
  });
});
