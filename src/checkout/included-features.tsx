import ChevronDown from 'lucide-react/icons/chevron-down';
import { FeatureList } from '../catalogue/feature-list.tsx';

/** Folded, so that what is chosen and what it costs are seen together. */
export function IncludedFeatures({ features }: { features: readonly string[] }) {
  return (
    <details className="group text-sm">
      <summary className="inline-flex min-h-11 cursor-pointer items-center gap-1.5 font-medium text-primary">
        Included features
        <ChevronDown className="size-4 group-open:rotate-180" />
      </summary>
      <FeatureList
        features={features}
        aria-label="Included features"
        className="grid gap-2 pt-1 pb-2 text-ink"
      />
    </details>
  );
}
