/** Holds the room of something awaited; give it the height and width of what will come. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`skeleton ${className}`} />;
}

/**
 * On staff's screens, in place of something awaited whose height nobody knows: what follows stays out of sight for it,
 * three seconds at most. Elsewhere the element that others follow is marked `data-awaited` itself (theme.css).
 */
export function UnknownHeight() {
  return <span hidden data-awaited />;
}
