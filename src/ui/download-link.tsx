import Download from 'lucide-react/icons/download';
import { ButtonLink } from './button.tsx';

/** A quiet button that downloads a file. */
export function DownloadLink({ href, children }: { href: string; children: string }) {
  return (
    <ButtonLink href={href} variant="quiet" size="small" download>
      <Download className="size-4" />
      {children}
    </ButtonLink>
  );
}
