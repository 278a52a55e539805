import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * The visitor's address: the socket's, or, behind `trustProxy` proxies, the entry of X-Forwarded-For that the
 * outermost of them wrote. Entries further left are the visitor's own claim and never believed.
 */
export function clientIp(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  const socket = plain(socketAddress);
  if (trustProxy === 0 || !forwardedFor) return socket;
  const hops = forwardedFor.split(',');
  return plain(hops[Math.max(0, hops.length - trustProxy)] ?? '') || socket;
}

export function requestIp({ socket, headers }: IncomingMessage, trustProxy: number): string {
  const forwarded = headers['x-forwarded-for']?.toString();
  return clientIp(socket.remoteAddress ?? '', forwarded, trustProxy);
}

/**
 * The bare address in what a socket or a proxy calls it, '' when there is none: some proxies add a port, which
 * differs with each connection, and ::ffff:192.0.2.1 is 192.0.2.1 seen through a socket that speaks both.
 */
function plain(text: string): string {
  const [, inBrackets] = /^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? beforePort ?? text.trim()).replace(/^::ffff:(?=\d+\.)/i, '');
  // A copy: V8 keeps the whole header for a part of it, and limits and the log remember the address.
  return isIP(address) ? Buffer.from(address).toString() : '';
}

/** What limits count by: an IPv4 address, or the /64 that one IPv6 household or server gets. */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** An address without the part that names one household: '203.0.113.x', or the first 48 bits of IPv6. */
export function truncateIp(address: string): string {
  if (!isIPv6(address)) return address.replace(/\.\d+$/, '.x');
  return `${limitKey(address).split(':').slice(0, 3).join(':')}::/48`;
}

/** Whether a Host header names a host; what does not is refused. */
export function isHost(host: string): boolean {
  return /^([a-z\d.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host);
}
