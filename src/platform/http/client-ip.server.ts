import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';

/** The longest entry of X-Forwarded-For: an IPv6 address in brackets with zone and port. */
const MAX_HOP = 100;

/** The client's IP: the socket's, or what the outermost trusted proxy added; '' if none. */
export function clientIp(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  if (trustProxy === 0 || !forwardedFor) return parseIp(socketAddress);
  // Only the end: a client may have sent thousands of entries.
  const hops = forwardedFor.slice(-MAX_HOP * trustProxy).split(',');
  const hop = parseIp((hops[Math.max(0, hops.length - trustProxy)] ?? '').trim());
  // A copy: V8 would keep the whole header alive for this part, which limits hold on to.
  return hop === '' ? parseIp(socketAddress) : Buffer.from(hop).toString();
}

export function requestIp({ socket, headers }: IncomingMessage, trustProxy: number): string {
  const forwarded = headers['x-forwarded-for']?.toString();
  return clientIp(socket.remoteAddress ?? '', forwarded, trustProxy);
}

/** Without a port and without ::ffff: of an IPv4 address; '' for anything but an IP address. */
function parseIp(text: string): string {
  if (isIPv4(text)) return text;
  const [, inBrackets] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (inBrackets ?? beforePort ?? text).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) ? address : '';
}

/** What limits count by: the IPv4 address, or the IPv6 /64 of one household. */
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

/** The network of an address: the IPv4 /24, as '203.0.113.x', or the IPv6 /48. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address.replace(/\.\d+$/, '.x');
  return `${limitKey(address).split(':').slice(0, 3).join(':')}::/48`;
}

/** Whether a Host header is a valid host name or IP address with an optional port. */
export function isHost(host: string): boolean {
  // The pattern excludes user names and paths; the parser, '999.1.1.1' and port 99999.
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) && URL.canParse(`http://${host}`);
}
