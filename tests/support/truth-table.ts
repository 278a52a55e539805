/** Tables of rows that say, of facts, what matters: what a row says nothing of may be anything. */

type Facts = Record<string, unknown>;

/** All combinations of one value each. */
export function combinations<Of extends Record<string, readonly unknown[]>>(of: Of) {
  return Object.entries(of).reduce<Facts[]>(
    (all, [name, values]) =>
      all.flatMap((facts) => values.map((one) => ({ ...facts, [name]: one }))),
    [{}],
  ) as { [Name in keyof Of]: Of[Name][number] }[];
}

/** What the rows that fit say it `is`; a row may list several values of a fact. */
export function saidBy<Is>(table: readonly (Facts & { is: Is })[], facts: Facts): Is[] {
  const fits = ({ is: _, ...row }: Facts) =>
    Object.entries(row).every(([name, wanted]) => [wanted].flat().includes(facts[name]));
  return table.filter(fits).map(({ is }) => is);
}
