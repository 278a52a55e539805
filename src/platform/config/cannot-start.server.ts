/** A reason not to start that the operator can mend; told without a stack. */
export class CannotStart extends Error {}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
