/** A reason not to start that the operator can fix; printed without a stack. */
export class CannotStart extends Error {
  constructor(message: string, faults: readonly string[] = []) {
    super([message, ...faults.map((fault) => `  - ${fault}`)].join('\n'));
  }
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
