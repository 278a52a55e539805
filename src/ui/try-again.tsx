import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { passFocusOn } from './focus/pass-focus-on.ts';

/** At the end of a notice that says what has failed. */
export function TryAgain(props: ComponentProps<typeof Button>) {
  return (
    <Button ref={passFocusOn} variant="quiet" size="small" className="mt-3" {...props}>
      Try again
    </Button>
  );
}
