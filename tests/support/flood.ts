/** Requests as fast as they are answered, with the longest texts that get through, none the same as another. */
import { Agent, get } from 'node:http';

const CONNECTIONS = 20;
/** All headers together may have 16 KB. */
const LONGEST_ADDRESS = 14_000;

export interface Flooded {
  answered: number;
  byStatus: Record<string, number>;
  unanswered: number;
}

export async function flood(
  address: string,
  seconds: number,
  lengths: { url?: number; referrer?: number; agent?: number } = { url: LONGEST_ADDRESS },
): Promise<Flooded> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const flooded: Flooded = { answered: 0, byStatus: {}, unanswered: 0 };
  const end = performance.now() + seconds * 1000;
  const text = (number: number, length = 20) => `${number}`.padEnd(length, 'x');
  let number = 0;
  async function ask(): Promise<void> {
    while (performance.now() < end) {
      number += 1;
      const headers = {
        Referer: `https://${number}.example/${text(number, lengths.referrer)}`,
        'User-Agent': text(number, lengths.agent),
      };
      const url = `${address}/?q=${text(number, lengths.url)}`;
      await new Promise<void>((resolve) => {
        get(url, { agent, headers }, (response) => {
          const status = String(response.statusCode);
          flooded.byStatus[status] = (flooded.byStatus[status] ?? 0) + 1;
          response.resume().on('end', () => {
            flooded.answered += 1;
            resolve();
          });
        }).on('error', () => {
          flooded.unanswered += 1;
          resolve();
        });
      });
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  agent.destroy();
  return flooded;
}
