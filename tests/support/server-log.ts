/** Keeps back what the server under test logs, and shows it beside a test that fails. */
import { afterEach, beforeEach } from 'vitest';

/** In lines; the last ones tell most. */
const KEPT = 200;
let lines: string[] = [];
const write = process.stderr.write.bind(process.stderr);

process.stderr.write = ((...sent: Parameters<typeof write>) => {
  const [text] = sent;
  if (typeof text !== 'string' || !text.startsWith('{"at":')) return write(...sent);
  lines.push(text);
  if (lines.length > KEPT) lines = lines.slice(-KEPT);
  return true;
}) as typeof write;

beforeEach(() => {
  lines = [];
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail' && lines.length > 0)
    write(`The server's log during '${task.name}':\n${lines.join('')}`);
});
