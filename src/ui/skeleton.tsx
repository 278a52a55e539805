/** A placeholder for loading content; give it the size of that content. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`skeleton ${className}`} />;
}
