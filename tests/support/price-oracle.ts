/**
 * A second implementation of the monthly price, from the specification's constants and in other units (BigInt hundredths
 * of a cent), so that it does not share the product's mistakes.
 */
const PER_USER = {
  none: 0n,
  business_standard: 125_000n,
  business_premium: 220_000n,
  e3: 360_000n,
};
const BACKUP = 49_500n;

interface Combination {
  planCents: number;
  option: keyof typeof PER_USER;
  users: number;
  backup: boolean;
}

/** Cents per month. */
export function oraclePrice({ planCents, option, users, backup }: Combination): number {
  let total = BigInt(planCents) * 100n;
  if (option !== 'none') {
    total += BigInt(users) * PER_USER[option];
    if (backup) total += BigInt(users) * BACKUP;
  }
  if (total % 100n !== 0n) throw new Error('not whole cents');
  return Number(total / 100n);
}
