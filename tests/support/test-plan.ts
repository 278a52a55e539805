/** Whether every journey runs on both engines and screens, as in `npm run test:full` (journey-plan.ts). */
export const EVERYTHING = process.env.TEST_PLAN === 'everything';
