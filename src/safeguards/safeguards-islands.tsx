import { SafeguardsCheck } from './safeguards-check.tsx';

export default { SafeguardsCheck };
