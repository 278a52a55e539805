import { describe, expect, test } from 'vitest';
import { clientIp, limitKey } from './client-ip.server.ts';

describe('the client’s IP address', () => {
  test.each([
    ['192.0.2.1', undefined, 0, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['10.0.0.1', undefined, 1, '10.0.0.1'],
    ['10.0.0.1', '1.1.1.1, 203.0.113.9', 1, '203.0.113.9'],
    ['10.0.0.1', '1.1.1.1,203.0.113.9 , 10.0.0.2', 2, '203.0.113.9'],
    // Fewer entries than proxies: the client bypassed one, and another wrote the first entry.
    ['10.0.0.1', '203.0.113.9', 2, '203.0.113.9'],
    ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
    ['10.0.0.1', '::FFFF:203.0.113.9', 1, '203.0.113.9'],
    // Some proxies append a port.
    ['10.0.0.1', '203.0.113.9:51820', 1, '203.0.113.9'],
    ['10.0.0.1', '[2001:db8::1]:51820', 1, '2001:db8::1'],
    // Not an IP address: the socket's counts.
    ['10.0.0.1', '203.0.113.9, <script>', 1, '10.0.0.1'],
  ])('socket %s, forwarded for %s, %i proxies: %s', (socket, forwarded, proxies, address) => {
    expect(clientIp(socket, forwarded, proxies)).toBe(address);
  });
});

describe('the key of rate limits', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  ])('%s is counted as %s', (address, key) => {
    expect(limitKey(address)).toBe(key);
  });
});
