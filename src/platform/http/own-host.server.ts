/** Which hosts are this machine without PUBLIC_URL. Other names may be a stranger's (rebinding). */
import { BlockList, isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from '../config/env-fields.server.ts';

/** Addresses that lead out of no local network. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, bits);
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** `named`: the `hostname` of a URL, which may end with the dot of the root. */
export function isOwnHost(named: string): boolean {
  const host = named.replace(/\.$/, '');
  if (isLoopback(host) || host.endsWith('.localhost')) return true;
  const address = host.replace(/^\[|\]$/g, '');
  // The machine's name, or one of the local network, which no stranger owns.
  if (isIP(address) === 0)
    return !host.includes('.') || LOCAL.test(host) || host === hostname().toLowerCase();
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') || isOwnAddress(address);
}

/** Ends of names in local networks (RFC 6762 with its appendix G, RFC 8375), public nowhere. */
const LOCAL = /\.(local|home\.arpa|internal|intranet|private|corp|home|lan)$/;

/** Asked each time: an address can change while the server runs. */
function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((entry) => entry.address === address),
  );
}
