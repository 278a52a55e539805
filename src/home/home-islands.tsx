import { Planner } from '../catalogue/planner.tsx';
import { Plans } from '../catalogue/plans.tsx';
import { Services, Solutions } from '../catalogue/services-and-solutions.tsx';

/** In the order in which they are hydrated: the planner has what visitors press. */
export default { Planner, Plans, Services, Solutions };
