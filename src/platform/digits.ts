/**
 * A whole number as people write it: 1000 → '1,000'. By hand, like money and dates on the first screens, since a slow
 * phone needs a tenth of a second to begin with Intl.
 */
export function withCommas(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
}
