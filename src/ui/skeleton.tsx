/** Holds the room of something awaited; give it the height and width of what will come. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`skeleton ${className}`} />;
}
