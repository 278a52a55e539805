/** The sources that this server counts by name on one day, bounded: anyone can make up names. */
import { hash } from 'node:crypto';
import { MAX_NEW_SOURCES, MAX_SOURCES_A_DAY } from '../limits.ts';
import { networkOf } from '../platform/http/client-ip.server.ts';
import { startOfDay } from '../platform/time.ts';
import { DIRECT, OTHER_SOURCES } from './read-visit.server.ts';

/** A day's visits of a source; and the mark of their network, 0 once there are several. */
export const SOURCE_KINDS = ['source', 'sourceNetwork'] as const;

export class DaySources {
  #day = 0;
  readonly #names = new Set<string>();
  /** How many names each network has added. */
  readonly #added = new Map<string, number>();

  /** Returns the visit with the name under which it counts. */
  count<Visit extends { ip: string }>(visit: Visit, source: string) {
    // The day on which a request ends: one from before midnight must not start the count again.
    const day = startOfDay(Date.now());
    if (day !== this.#day) {
      this.#day = day;
      this.#names.clear();
      this.#added.clear();
    }
    if (source === DIRECT) return { ...visit, source };
    const network = networkOf(visit.ip);
    if (!this.#names.has(source) && !this.#add(source, network))
      return { ...visit, source: OTHER_SOURCES };
    return { ...visit, source, network: markOf(network) };
  }

  #add(source: string, network: string): boolean {
    const added = this.#added.get(network) ?? 0;
    if (this.#names.size >= MAX_SOURCES_A_DAY || added >= MAX_NEW_SOURCES) return false;
    this.#added.set(network, added + 1);
    this.#names.add(source);
    return true;
  }
}

/** 1 to 65,536, the same on all servers: tells networks apart, but hundreds have each mark. */
function markOf(network: string): number {
  return 1 + Number.parseInt(hash('sha1', network).slice(0, 4), 16);
}
