/** A reason not to start that the operator can fix; printed without a stack. */
export class CannotStart extends Error {
  constructor(message: string, errors: readonly string[] = []) {
    super([message, ...errors.map((error) => `  - ${error}`)].join('\n'));
  }
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
