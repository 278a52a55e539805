import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Container } from './container.tsx';
import { passFocusOn } from './focus/pass-focus-on.ts';

interface FailureBoundaryProps {
  /** What is said in place of the part; without it, that it could not be shown, with a way to try again. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** A part that fails while it is drawn is replaced alone; everything around it stays. */
export class FailureBoundary extends Component<FailureBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { fallback, children } = this.props;
    if (!this.state.failed) return children;
    return (
      fallback ?? (
        <div role="alert" className="p-4 text-center text-danger in-[.on-ink]:text-[#ff9d94]">
          This part could not be shown.{' '}
          <button
            ref={passFocusOn}
            type="button"
            onClick={() => this.setState({ failed: false })}
            className="min-h-11 underline"
          >
            Try again
          </button>
        </div>
      )
    );
  }
}

/** In place of a whole page. */
export function PageFailure() {
  return (
    <section className="bg-paper pt-navbar">
      <Container className="py-20 lg:py-32">
        <h1 className="text-2xl tracking-[-0.03em]">This page could not be shown</h1>
        <p className="mt-5 max-w-prose text-lg">
          Something went wrong on our side. Loading the page again often helps.
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-6">
          <Button onClick={() => window.location.reload()}>Load again</Button>
          {/* A document of its own: whatever went wrong in this one is gone there. */}
          <a href="/" className="text-primary underline underline-offset-4">
            Return to Home
          </a>
        </div>
      </Container>
    </section>
  );
}
