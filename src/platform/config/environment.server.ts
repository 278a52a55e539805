/** The environment's variables as they are meant, before each is checked. */
import { readFileSync } from 'node:fs';
import { reason } from './cannot-start.server.ts';

export type Given = Readonly<Record<string, string>>;

/** `names`: all that there are. What cannot be meant is added to `faults`. */
export function readGiven(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  faults: string[],
): Given {
  const trimmed = Object.entries(environment).flatMap(([name, value]) => {
    const text = value?.trim();
    // An empty variable counts as one that is not set.
    return text ? [[name, text] as const] : [];
  });
  for (const [name] of trimmed) {
    const meant = nearlyNamed(name, names);
    if (meant) faults.push(`${name} is not known; ${meant} is`);
  }
  return withFiles(Object.fromEntries(trimmed), names, faults);
}

const FILE = '_FILE';

/** NAME_FILE names the file that has NAME's value, such as a secret of Docker or systemd. */
function withFiles(given: Given, names: readonly string[], faults: string[]): Given {
  const files = names.flatMap((name): [string, string][] => {
    const file = given[name + FILE];
    if (file === undefined) return [];
    if (given[name] !== undefined) {
      faults.push(`${name}${FILE} must not be set together with ${name}`);
      return [];
    }
    try {
      const value = readFileSync(file, 'utf8').trim();
      if (/^.+$/.test(value)) return [[name, value]];
      faults.push(`${name}${FILE} must hold one line, not ${value ? 'several' : 'none'}`);
      return [];
    } catch (error) {
      faults.push(`${name}${FILE} cannot be read: ${reason(error)}`);
      return [];
    }
  });
  return { ...given, ...Object.fromEntries(files) };
}

/** Shorter names are nearly those of other programs, such as cron's MAILTO. */
const MIN_MISTYPED = 7;

/** The variable that is meant by a name with one letter or two other, or without its end. */
function nearlyNamed(name: string, names: readonly string[]): string | undefined {
  const known = names.flatMap((own) => [own, own + FILE]);
  if (name.length < MIN_MISTYPED || known.includes(name)) return undefined;
  // Beside SMTP_PORT, other programs have it; our own server is in SMTP_URL.
  if (name === 'SMTP_HOST') return undefined;
  const meant = name.toUpperCase();
  const isNear = (own: string) =>
    editDistance(meant, own) <= 2 || (meant.includes('_') && own.startsWith(meant));
  return known.find((own) => own.length >= MIN_MISTYPED && isNear(own));
}

/** Levenshtein's: how many letters must be put in, taken away or replaced. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, its] of [...other].entries())
      next.push(
        Math.min(
          (row[j] ?? 0) + (letter === its ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
