/**
 * The monthly price once more, written from the specification's constants alone and counted differently
 * (in hundredths of a cent as BigInt, term by term), so that a slip in the product cannot hide here too.
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

/** The total in cents a month. */
export function oraclePrice({ planCents, option, users, backup }: Combination): number {
  let total = BigInt(planCents) * 100n;
  if (option !== 'none') {
    total += BigInt(users) * PER_USER[option];
    if (backup) total += BigInt(users) * BACKUP;
  }
  if (total % 100n !== 0n) throw new Error('not whole cents');
  return Number(total / 100n);
}
