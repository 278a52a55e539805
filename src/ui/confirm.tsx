import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { usePress } from './presses.ts';

interface ConfirmProps {
  verb: string;
  /** 'primary' for what can be set again. */
  variant?: 'danger' | 'primary';
  /** Null while the input is invalid. */
  act: (() => Promise<unknown>) | null;
  /** Reloads what the page shows, even after a refusal: it may be outdated. */
  reloads?: boolean;
  /** Shown when the server gives no reason. */
  failed?: string;
  cancel?: string;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for confirmation: runs the action, and closes unless it failed. */
export function Confirm(props: ConfirmProps) {
  const { verb, variant = 'danger', act, reloads, failed, cancel = 'Cancel' } = props;
  const { onClose, children } = props;
  const queryClient = useQueryClient();
  const action = usePress({
    mutationFn: async () => act?.(),
    onSettled: () => reloads && queryClient.invalidateQueries(),
  });
  return (
    <div className="grid gap-4 text-sm">
      {children}
      {action.error && <Notice kind="error">{reasonOf(action.error, failed)}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={variant}
          busy={action.isPending}
          disabled={act === null}
          onClick={() => action.mutate(undefined, { onSuccess: onClose })}
        >
          {verb}
        </Button>
        <Button variant="quiet" disabled={action.isPending} onClick={onClose}>
          {cancel}
        </Button>
      </div>
    </div>
  );
}
