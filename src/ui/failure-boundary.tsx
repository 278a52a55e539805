import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { reportFailedPart } from '../platform/failure-report.ts';
import { keepFocusOnRetry } from './focus.tsx';

interface FailureBoundaryProps {
  /** What is said in place of the part; without it, that it could not be shown, with a way to try again. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * A part that fails while it is drawn is replaced alone; everything around it stays. React hydrates it separately:
 * otherwise an error during hydration would make it draw the whole document again.
 */
export class FailureBoundary extends Component<FailureBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    reportFailedPart(error);
  }

  readonly #tryAgain = () => {
    if (this.state.error instanceof PartNotFetched) window.location.reload();
    else this.setState({ error: undefined });
  };

  override render() {
    const { fallback, children } = this.props;
    if (this.state.error === undefined) return <Suspense>{children}</Suspense>;
    return (
      fallback ?? (
        <div role="alert" className="p-4 text-center text-danger in-[.on-night]:text-[#ff9d94]">
          This part didn’t load.{' '}
          <button
            ref={keepFocusOnRetry}
            type="button"
            onClick={this.#tryAgain}
            className="min-h-11 underline"
          >
            Try again
          </button>
        </div>
      )
    );
  }
}

/** The script of a part could not be fetched, twice. Browsers may remember that until the page is loaded again. */
class PartNotFetched extends Error {}

/**
 * A part whose script is loaded when it is first drawn; the failure boundary around it says so when that fails.
 * @public
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load().catch(load) };
    } catch (error) {
      throw new PartNotFetched('a part could not be fetched', { cause: error });
    }
  });
}
