import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button } from './button.tsx';
import { usePress } from './presses.ts';
import { showError } from './toast/toast.ts';

interface ActionButtonProps extends ComponentProps<typeof Button> {
  act: () => Promise<unknown>;
}

/** A quiet button that makes a call when it is pressed, and then reloads what is shown. */
export function ActionButton({ act, ...button }: ActionButtonProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending } = usePress({
    mutationFn: act,
    onError: (error) => showError(reasonOf(error)),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <Button variant="quiet" size="small" busy={isPending} onClick={() => mutate()} {...button} />
  );
}
