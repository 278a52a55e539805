import { showToast } from '../ui/toast/toast.ts';

/** To those who press on without a plan. */
export function tellNoPlan(): void {
  showToast({
    title: 'No plan selected',
    description: 'Please select a service plan to continue.',
    variant: 'destructive',
  });
}
