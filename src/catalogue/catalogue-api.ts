/** The calls about the catalogue. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list } from '../platform/schema.ts';
import { plan, service, solution } from './catalogue.ts';

export const LIST_SERVICES = contract('GET /api/services', { answer: list(service) });
export const LIST_SOLUTIONS = contract('GET /api/solutions', { answer: list(solution) });
export const LIST_PLANS = contract('GET /api/plans', { answer: list(plan) });

/** Makes the plans' features follow the content. Its answer is only logged. */
export const UPDATE_PLANS = contract('POST /api/update-plans', {
  answer: fallback(z.nullable(z.object({ success: z.literal(true), updated: count })), null),
});
