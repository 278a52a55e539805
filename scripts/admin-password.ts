/**
 * `npm run admin:password`: changes the staff account's password, even while the server runs, and
 * ends its sessions. Prompts twice on a terminal, without echo; otherwise reads the password from
 * standard input.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readEnv } from '../src/env.server.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from '../src/limits.ts';
import { CannotStart } from '../src/platform/config/cannot-start.server.ts';
import { openDatabase } from '../src/platform/database/database.server.ts';
import { setPassword } from '../src/sign-in/password-account.server.ts';
import { runCommand, withDatabase } from './command.ts';
import { hasDatabase } from './doctor/database.ts';
import { howToOpen } from './doctor/sign-in.ts';

void runCommand(changePassword);

async function changePassword(): Promise<void> {
  const env = readEnv(process.env);
  if (!hasDatabase(env))
    throw new CannotStart(
      `There is no database at ${env.dataDir} (DATA_DIR): run this with the server's environment`,
    );
  const password = await readPassword(env.admin.username);
  const opening = openDatabase(env, { alongsideServer: true });
  const { username, isPublic } = env.admin;
  const earlier = isPublic ? null : env.admin.password;
  const set = withDatabase(opening, ({ db }) => setPassword(db, username, password, earlier));
  if (!(await set))
    throw new CannotStart(
      `There is no account ${username}; set ADMIN_USERNAME to the one that the server has.`,
    );
  console.log(`The password of ${username} is set; its sessions have ended.`);
  if (!env.staffPassword)
    console.log(
      `Nobody can sign in with it: STAFF_PASSWORD is off. ${howToOpen(env)} and restart the server.`,
    );
}

async function readPassword(username: string): Promise<string> {
  const { isTTY } = process.stdin;
  const password = isTTY ? await promptHidden(`New password for ${username}: `) : await readInput();
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) {
    throw new CannotStart(`A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  if (isTTY && (await promptHidden('Once more: ')) !== password) {
    throw new CannotStart('The two passwords differ; nothing was changed.');
  }
  return password;
}

/** Reads all of standard input, without the line break that `echo` adds. */
async function readInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** Prompts on the terminal without echo. */
async function promptHidden(question: string): Promise<string> {
  process.stderr.write(question);
  // Node's line editor handles the keys, and its output is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  editor.on('SIGINT', () => {
    editor.close();
    process.stderr.write('\n');
    process.exit(130);
  });
  const answer = await editor.question('');
  editor.close();
  process.stderr.write('\n');
  return answer;
}
