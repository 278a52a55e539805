import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Container } from './container.tsx';

interface FailureBoundaryProps {
  children: ReactNode;
}

/** When a page fails while it is drawn, the frame around it stays, and this says what to do. */
export class FailureBoundary extends Component<FailureBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
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
}
