/** A reason not to start that the operator can fix; printed without a stack. */
export class CannotStart extends Error {
  constructor(message: string, errors: readonly string[] = []) {
    super([message, ...errors.map((error) => `  - ${error}`)].join('\n'));
  }
}

/** It may pass by itself, such as a port that is still taken: whoever supervises tries again. */
export class CannotStartYet extends CannotStart {}

/** Without Node's own advice about certificates, which is for who starts a program by hand. */
export function reason(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return words.replace(/; if the root CA is .*/, '');
}
