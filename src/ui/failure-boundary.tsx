import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { reportFailedPart } from '../platform/failure-report.ts';
import { useKeptFocus } from './focus.tsx';
import { reloadWithTyped } from './typed-fields.ts';

interface FailureBoundaryProps {
  /** Shown instead of the part; by default an error message with a button to try again. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** An error boundary for a part. Suspense lets React hydrate it alone, or all would be redrawn. */
export class FailureBoundary extends Component<FailureBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    reportFailedPart(error);
  }

  readonly #tryAgain = () => {
    if (this.state.error instanceof PartNotFetched) reloadWithTyped();
    else this.setState({ error: undefined });
  };

  override render() {
    const { fallback, children } = this.props;
    if (this.state.error === undefined) return <Suspense>{children}</Suspense>;
    return fallback ?? <PartFailure onTryAgain={this.#tryAgain} />;
  }
}

export function PartFailure({ onTryAgain }: { onTryAgain?: () => void }) {
  const keepFocus = useKeptFocus();
  return (
    <div role="alert" className="p-4 text-center text-danger in-[.on-night]:text-[#ff9d94]">
      {'This part didn’t load. '}
      <button
        type="button"
        onClick={(event) => {
          keepFocus(event);
          onTryAgain?.();
        }}
        className="min-h-11 underline"
      >
        Try again
      </button>
    </div>
  );
}

/** A part's script failed twice. Browsers may cache that until the page is reloaded. */
class PartNotFetched extends Error {}

/** React.lazy with a second attempt to load. A FailureBoundary around it shows the failure. */
export function lazyWithRetry<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load().catch(load) };
    } catch (error) {
      throw new PartNotFetched('a part could not be fetched', { cause: error });
    }
  });
}
