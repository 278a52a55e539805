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
  /** Enter in a field acts, too: what staff have typed says that they mean it. */
  byEnter?: boolean;
  /** Reloads what the page shows, even after a refusal: it may be outdated. */
  reloads?: boolean;
  cancel?: string;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for confirmation: runs the action, and closes unless it failed. */
export function Confirm(props: ConfirmProps) {
  const { verb, variant = 'danger', act, byEnter = false, reloads } = props;
  const { cancel = 'Cancel', onClose, children } = props;
  const queryClient = useQueryClient();
  const action = usePress({
    mutationFn: async () => act?.(),
    onSettled: () => reloads && queryClient.invalidateQueries(),
  });
  const press = () => action.mutate(undefined, { onSuccess: onClose });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (byEnter) press();
      }}
      className="grid gap-4 text-sm"
    >
      {children}
      {action.error && <Notice kind="error">{reasonOf(action.error)}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={variant}
          busy={action.isPending}
          disabled={act === null}
          type={byEnter ? 'submit' : 'button'}
          onClick={byEnter ? undefined : press}
        >
          {verb}
        </Button>
        <Button variant="quiet" disabled={action.isPending} onClick={onClose}>
          {cancel}
        </Button>
      </div>
    </form>
  );
}
