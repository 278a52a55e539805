import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';

interface FeatureListProps {
  features: readonly string[];
  className: string;
  'aria-label'?: string;
}

export function FeatureList({ features, ...list }: FeatureListProps) {
  return (
    <ul {...list}>
      {features.map((feature) => (
        <li key={feature} className="flex gap-2.5 text-wrap">
          <Check className="mt-1 size-4 shrink-0 text-primary" />
          <span>{feature}</span>
        </li>
      ))}
    </ul>
  );
}

/** Closed at first, so that what stands around it fits on one screen. */
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
