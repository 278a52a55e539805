/** A day's requests as a site like this one gets them, always the same for the same number. */
import type { AccessRecord } from '../../src/access-log/access-record.server.ts';

const DAY = 24 * 60 * 60_000;
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (compatible; Examplebot/2.1; +https://bot.example/)',
];
const PAGES = ['/', '/news', '/news/data-fencing', '/news/outsourcing-it', '/checkout?plan=2'];
const OTHERS = ['/api/plans', '/api/services', '/assets/site-abc123.js', '/pictures/desk.avif'];
const REFERRERS = ['', '', 'https://search.example/?q=it', 'https://news.example/'];

/** Storing a million takes a while, in which none may leave the 24 hours. */
const SPREAD = DAY - 30 * 60_000;

/** `count` requests by `visitors` visitors, oldest first, evenly over the last 24 hours. */
export function* generatedTraffic(
  count: number,
  visitors: number,
  now: number,
): Generator<AccessRecord> {
  const random = sequence(count);
  for (let i = 0; i < count; i += 1) {
    // Each comes once and stays for some requests.
    const visitor = Math.floor((i * visitors) / count);
    const isPage = random() < 0.3;
    const urls = isPage ? PAGES : OTHERS;
    const chance = random();
    yield {
      at: now - SPREAD + Math.floor((i / count) * SPREAD),
      ip: `${10 + (visitor >> 20)}.${(visitor >> 12) & 255}.${(visitor >> 4) & 255}.${1 + (visitor & 15)}`,
      method: 'GET',
      url: urls[Math.floor(random() * urls.length)] ?? '/',
      status: chance < 0.94 ? 200 : chance < 0.97 ? 304 : chance < 0.995 ? 404 : 500,
      durationUs: Math.round(Math.exp(6 + 3 * random())),
      bytes: Math.floor(random() * 40_000),
      referrer: isPage ? (REFERRERS[Math.floor(random() * REFERRERS.length)] ?? '') : '',
      userAgent: AGENTS[visitor % AGENTS.length] ?? '',
    };
  }
}

/** Numbers from 0 to below 1 that look like chance (mulberry32). */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
