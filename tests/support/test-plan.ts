/** Whether everything runs, as in `npm run test:full`, and not each journey only where the plan puts it. */
export const EVERYTHING = process.env.TEST_PLAN === 'everything';
