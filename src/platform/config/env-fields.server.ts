/** Kinds of environment variables. No message repeats a URL or a password. */
import * as z from 'zod/mini';

/** Reports that a rule between variables is broken. */
export type AddFault = (name: string, message: string) => void;

export function textThat(isValid: (value: string) => boolean, message: string) {
  return z.optional(z.string().check(z.refine(isValid, message)));
}

export function integer(fallback: number, min: number, max: number) {
  const isValid = (value: string) =>
    /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
  const number = z.pipe(
    z.string().check(
      z.refine(isValid, {
        error: ({ input }) => `must be a whole number from ${min} to ${max}, not '${input}'`,
      }),
    ),
    z.transform(Number),
  );
  return z._default(number, fallback);
}

export function choice<const Value extends string>(...values: readonly Value[]) {
  const error = ({ input }: { input?: unknown }) =>
    `must be ${values.join(' or ')}, not '${input}'`;
  return z.optional(z.enum(values, { error }));
}

export function url(protocols: readonly string[], complete = (value: string) => value) {
  return z.optional(
    z.pipe(
      z.string(),
      z.transform((value, context): URL | undefined => {
        const parsed = URL.parse(complete(value)) ?? undefined;
        const message = urlFault(value, parsed, protocols);
        if (message === undefined) return parsed;
        context.issues.push({ code: 'custom', input: value, message });
        return undefined;
      }),
    ),
  );
}

/** Traffic to it is encrypted or never leaves this machine. `fetch` takes no password in a URL. */
export function privateUrl() {
  return url(['http:', 'https:']).check(
    z.refine(
      (value) => value === undefined || isPrivate(value),
      'must begin with https:// (http:// on loopback only)',
    ),
    z.refine(
      (value) => value === undefined || value.username + value.password === '',
      'must hold no user name or password',
    ),
  );
}

function urlFault(value: string, parsed: URL | undefined, protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`);
  if (!starts.some((start) => value.toLowerCase().startsWith(start)))
    return `must be an address that begins with ${starts.join(' or ')}`;
  if (!parsed)
    return 'is not a valid address (in a password, / is written as %2F, # as %23 and ? as %3F)';
  // A bare % cannot be decoded.
  return /%(?![\da-f]{2})/i.test(parsed.username + parsed.password)
    ? 'must have a percent sign in its password written as %25'
    : undefined;
}

/** Reports each missing one of variables that must be set together. */
export function checkTogether(
  variables: Readonly<Record<string, unknown>>,
  names: readonly string[],
  addFault: AddFault,
): void {
  const setNames = names.filter((name) => variables[name] !== undefined);
  if (setNames.length === 0) return;
  for (const name of names)
    if (variables[name] === undefined)
      addFault(name, `is missing, and needed with ${setNames.join(' and ')}`);
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/;

/** Whether the host is this machine: no encryption is needed, and no stranger can connect. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether traffic to the URL is encrypted or never leaves this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}
