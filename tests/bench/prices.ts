/** 20,000 combinations of plan, option, users and backup against an independent oracle. */
import { MS365_OPTIONS, monthlyPrice, pricesInForce } from '../../src/catalogue/pricing.ts';
import { MAX_USERS } from '../../src/catalogue/user-count.ts';
import { readContent } from '../../src/content.server.ts';
import { cents } from '../../src/platform/money.ts';
import { oraclePrice } from '../support/price-oracle.ts';
import { figure } from './measure.ts';

const COMBINATIONS = 20_000;

export async function benchPrices(): Promise<void> {
  const prices = pricesInForce(readContent('content').addOns, new Date());
  let differing = 0;
  for (let round = 0; round < COMBINATIONS; round += 1) {
    const planCents = Math.floor(Math.random() * 1_000_000);
    const option = MS365_OPTIONS[Math.floor(Math.random() * MS365_OPTIONS.length)] ?? 'none';
    const users = 1 + Math.floor(Math.random() * MAX_USERS);
    const backup = Math.random() < 0.5;
    const { total } = monthlyPrice(
      { name: 'Any', price: cents(planCents) },
      { ms365Option: option, ms365Users: users, includeCloudBackup: backup },
      prices,
    );
    if (total !== oraclePrice({ planCents, option, users, backup })) differing += 1;
  }
  figure(`prices that differ from the oracle, of ${COMBINATIONS}`, differing, { atMost: 0 });
}
