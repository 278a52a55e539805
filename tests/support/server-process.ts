/** The built server as a process of its own, as an operator runs it; it can be killed as a power cut would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ServerProcess {
  address: string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>;
}

/** `variables` are its whole configuration. Rejects when it ends before it is ready. */
export async function startServerProcess(
  variables: Record<string, string>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['dist/server/server.js'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', TRUST_PROXY: '1', ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = once(child, 'exit').then(() => child.exitCode);
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    return gone;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^Ready on (http:\S+)$/.exec(line) ?? [];
    if (address)
      return { address, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
  }
  throw new Error(`the server ended with ${await gone} before it was ready`);
}
