/** A placeholder for content that is loading; give it the size of that content. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`skeleton ${className}`} />;
}
