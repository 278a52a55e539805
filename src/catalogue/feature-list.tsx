import Check from 'lucide-react/icons/check';

interface FeatureListProps {
  features: readonly string[];
  className: string;
  'aria-label'?: string;
}

/** What a plan includes, each with a tick. */
export function FeatureList({ features, ...list }: FeatureListProps) {
  return (
    <ul {...list}>
      {features.map((feature) => (
        <li key={feature} className="flex gap-2.5">
          <Check className="mt-1 size-4 shrink-0 text-primary" />
          {feature}
        </li>
      ))}
    </ul>
  );
}
