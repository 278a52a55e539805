/** The name under which colleagues read what an account did. */

/** What no two names share: without case and blanks. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s/g, '');
}

/** From the best one on: the name itself, parted by a verified address, by a number. */
export function* possibleNames(name: string, verifiedEmail: string | null): Generator<string> {
  yield name;
  if (verifiedEmail !== null) yield `${name} (${verifiedEmail})`;
  for (let number = 2; ; number += 1) yield `${name} (${number})`;
}
