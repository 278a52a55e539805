/** Reads variables one by one and gathers in words what is wrong with each; a wrong value names itself. */
export type Variables = Readonly<Record<string, string | undefined>>;

export function reader(variables: Variables) {
  const faults: string[] = [];
  const text = (name: string) => variables[name]?.trim() || undefined;
  return {
    faults,
    text,
    expect(holds: boolean, fault: string): void {
      if (!holds) faults.push(fault);
    },
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === undefined) return fallback;
      if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max)
        return Number(value);
      faults.push(`${name} must be a whole number from ${min} to ${max}, not '${value}'`);
      return fallback;
    },
    choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
      const value = text(name);
      const found = values.find((each) => each === value);
      if (value !== undefined && !found)
        faults.push(`${name} must be ${values.join(' or ')}, not '${value}'`);
      return found;
    },
    url(name: string, protocols: readonly string[]): URL | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const url = URL.parse(value);
      // The value itself may hold a password, so it is not repeated.
      if (!url || !protocols.includes(url.protocol)) {
        const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ');
        faults.push(`${name} must be an address that begins with ${beginnings}`);
        return undefined;
      }
      if (!isDecodable(url)) {
        faults.push(`${name} must have a percent sign in its password written as %25`);
        return undefined;
      }
      return url;
    },
    /** Values of variables that are set together or not at all; null when none is. */
    together<Name extends string>(names: readonly Name[]): Record<Name, string> | null {
      const missing = names.filter((name) => text(name) === undefined);
      if (missing.length === names.length) return null;
      for (const name of missing) {
        const given = names.filter((each) => !missing.includes(each));
        faults.push(`${name} is missing: ${given.join(' and ')} need it`);
      }
      return Object.fromEntries(names.map((name) => [name, text(name) ?? ''])) as Record<
        Name,
        string
      >;
    },
  };
}

/** A password with a bare % in it cannot be decoded. */
function isDecodable({ username, password }: URL): boolean {
  return !/%(?![\da-f]{2})/i.test(username + password);
}

export type Reader = ReturnType<typeof reader>;
