import { useState } from 'react';
import { Button, TryAgainButton } from '../src/ui/button.tsx';
import { Dialog } from '../src/ui/dialog.tsx';
import { Notice } from '../src/ui/notice.tsx';
import { Skeleton } from '../src/ui/skeleton.tsx';
import { showToast } from '../src/ui/toast/toast.ts';
import { Row, Specimen } from './specimen.tsx';

export function MessageParts() {
  const [open, setOpen] = useState<'narrow' | 'wide'>();
  return (
    <>
      <Specimen name="Notice">
        <Notice kind="info">Something good to know.</Notice>
        <Notice kind="success">Something that has worked.</Notice>
        <Notice kind="warning">Something to be careful with.</Notice>
        <Notice kind="error">
          <p>Something that went wrong, and what to do.</p>
          <TryAgainButton onClick={() => undefined} />
        </Notice>
      </Specimen>
      <Specimen name="Toast and dialog">
        <Row>
          <Button
            variant="quiet"
            onClick={() =>
              showToast({
                title: 'Payment successful!',
                description: 'Thank you for your purchase.',
              })
            }
          >
            A toast
          </Button>
          <Button
            variant="quiet"
            onClick={() =>
              showToast({
                title: 'Payment failed',
                description: 'There was an issue with your payment.',
                variant: 'destructive',
              })
            }
          >
            A destructive toast
          </Button>
          <Button variant="quiet" onClick={() => setOpen('narrow')}>
            A dialog
          </Button>
          <Button variant="quiet" onClick={() => setOpen('wide')}>
            A wide dialog
          </Button>
        </Row>
        <Dialog
          open={open !== undefined}
          onClose={() => setOpen(undefined)}
          title="A dialog"
          subtitle="With a subtitle."
          wide={open === 'wide'}
        >
          <p>What it is about.</p>
        </Dialog>
      </Specimen>
      <Specimen name="Skeleton">
        <Skeleton className="h-8 w-64" />
        <div className="on-night rounded-card p-6">
          <Skeleton className="h-8 w-64" />
        </div>
      </Specimen>
    </>
  );
}
