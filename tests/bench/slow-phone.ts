/** Simulates a phone: Lighthouse's Slow 4G, and a CPU four times slower. */
import type { Page } from 'playwright-core';

export async function slowDown(
  page: Page,
  slower = { line: true, processor: true },
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower.processor ? 4 : 1 });
  if (!slower.line) return;
  const throughput = (1_600_000 * 0.9) / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150 * 3.75,
    downloadThroughput: throughput,
    uploadThroughput: throughput / 2,
  });
}
