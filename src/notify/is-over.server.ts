import { sql } from 'kysely';
import { LONGEST_WAIT_MS } from './channel.server.ts';

/** Whether a wait has ended, or is so long that it was begun while a clock was wrong. */
export function isOver(column: 'nextTryAt' | 'nextAt', now: number) {
  const ahead = now + LONGEST_WAIT_MS;
  return sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${ahead})`;
}
