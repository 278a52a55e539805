/** Apart from their shapes, which are more than the home page needs to load. */
import type { Contract } from '../platform/contract.ts';
import type { planRows, serviceRows, solutionRows, updatedPlans } from './catalogue.ts';

export const LIST_SERVICES: Contract<null, typeof serviceRows> = 'GET /api/services';
export const LIST_SOLUTIONS: Contract<null, typeof solutionRows> = 'GET /api/solutions';
export const LIST_PLANS: Contract<null, typeof planRows> = 'GET /api/plans';
/** Lets the plans' features follow the content. */
export const UPDATE_PLANS: Contract<null, typeof updatedPlans> = 'POST /api/update-plans';
