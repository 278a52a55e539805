import LoaderCircle from 'lucide-react/icons/loader-circle';

/** Decoration; what is waited for is said in words beside it. Stands still for those who ask for no motion. */
export function Spinner({ className = 'size-5' }: { className?: string }) {
  return <LoaderCircle className={`motion-safe:animate-spin ${className}`} />;
}
