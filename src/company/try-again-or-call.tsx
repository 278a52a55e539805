import { useSite } from '../platform/site.ts';
import { TryAgain } from '../ui/button.tsx';

/** What a visitor can do about a list that could not be loaded. */
export function TryAgainOrCall({ onClick }: { onClick: () => void }) {
  const { phone } = useSite().company;
  return (
    <p className="mt-4 flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
      <TryAgain size="medium" className="" onClick={onClick} />
      <a
        href={`tel:${phone.tel}`}
        className="inline-flex min-h-11 items-center text-sm font-medium text-ink tabular-nums underline underline-offset-4 in-[.on-night]:text-white"
      >
        Or call {phone.display}
      </a>
    </p>
  );
}
