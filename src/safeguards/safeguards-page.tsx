/** /safeguards-check: twenty questions about 16 CFR Part 314, and the report. */
import { Island } from '../ui/island.tsx';
import type { SafeguardsContent } from './check.ts';
import { SafeguardsCheck } from './safeguards-check.tsx';

export default function SafeguardsPage({ content }: { content: SafeguardsContent }) {
  return (
    <Island>
      <SafeguardsCheck content={content} />
    </Island>
  );
}
