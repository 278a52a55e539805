/** Asks on the terminal for something that nobody looking on may read. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question);
  // Node's own line editor does the keys; what it would show goes nowhere.
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
