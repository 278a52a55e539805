/** The sources that this server counts by name on one day, bounded: anyone can make up names. */
import { MAX_NEW_SOURCES, MAX_SOURCES_A_DAY } from '../limits.ts';
import { networkOf } from '../platform/http/client-ip.server.ts';
import { startOfDay } from '../platform/time.ts';
import { DIRECT, OTHER_SOURCES } from './read-visit.server.ts';

/** A day's visits of a source, and from how many networks, at most two for each server. */
export const SOURCE_KINDS = ['source', 'sourceNetworks'] as const;

export class DaySources {
  #day = 0;
  /** The networks of each name, two at most. */
  readonly #networks = new Map<string, Set<string>>();
  /** How many names each network has added. */
  readonly #added = new Map<string, number>();

  /** Returns the visit with the name under which it counts. */
  count<Visit extends { ip: string }>(visit: Visit, source: string) {
    // The day on which a request ends: one from before midnight must not start the count again.
    const day = startOfDay(Date.now());
    if (day !== this.#day) {
      this.#day = day;
      this.#networks.clear();
      this.#added.clear();
    }
    if (source === DIRECT) return { ...visit, source };
    const network = networkOf(visit.ip);
    const networks = this.#networks.get(source) ?? this.#add(source, network);
    if (!networks) return { ...visit, source: OTHER_SOURCES };
    const isNewNetwork = networks.size < 2 && !networks.has(network);
    if (isNewNetwork) networks.add(network);
    return { ...visit, source, isNewNetwork };
  }

  #add(source: string, network: string): Set<string> | undefined {
    const added = this.#added.get(network) ?? 0;
    if (this.#networks.size >= MAX_SOURCES_A_DAY || added >= MAX_NEW_SOURCES) return undefined;
    const networks = new Set<string>();
    this.#added.set(network, added + 1);
    this.#networks.set(source, networks);
    return networks;
  }
}
