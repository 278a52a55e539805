import Download from 'lucide-react/icons/download';
import { Button, ButtonLink } from './button.tsx';

interface DownloadLinkProps {
  href: string;
  /** Whether there is anything to download. */
  ready?: boolean;
  children: string;
}

/** A quiet button that downloads a file. */
export function DownloadLink({ href, ready = true, children }: DownloadLinkProps) {
  const content = (
    <>
      <Download className="size-4" />
      {children}
    </>
  );
  if (!ready)
    return (
      <Button variant="quiet" size="small" disabled>
        {content}
      </Button>
    );
  return (
    <ButtonLink href={href} variant="quiet" size="small" download>
      {content}
    </ButtonLink>
  );
}
