/**
 * A program and its arguments for `spawn`, so that it gets the signal when this process ends, even
 * by SIGKILL. What a test file leaves running is ended after it (set-up.ts); this is for a worker
 * or a run that ends early. Only on Linux.
 */
export function tied(
  program: string,
  args: readonly string[],
  signal: 'KILL' | 'QUIT' | 'TERM' = 'KILL',
): [string, string[]] {
  return process.platform === 'linux'
    ? ['setpriv', ['--pdeathsig', signal, program, ...args]]
    : [program, [...args]];
}
