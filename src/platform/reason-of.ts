import { CallError } from './fetch-call.ts';

/** Why a call failed, as the server says; else these words. */
export function reasonOf(error: unknown, otherwise: string): string {
  return (error instanceof CallError && error.reason) || otherwise;
}
