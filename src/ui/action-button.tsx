import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button } from './button.tsx';
import { usePress } from './presses.ts';
import { showError } from './toast/toast.ts';

interface ActionButtonProps extends ComponentProps<typeof Button> {
  act: () => Promise<unknown>;
  /** The queries that the action changes; all by default. */
  invalidates?: QueryKey;
}

/** A quiet button that makes a call when it is pressed, and reloads what that has changed. */
export function ActionButton({ act, invalidates = [], ...button }: ActionButtonProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending } = usePress({
    mutationFn: act,
    onError: (error) => showError(reasonOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invalidates }),
  });
  return (
    <Button variant="quiet" size="small" busy={isPending} onClick={() => mutate()} {...button} />
  );
}
