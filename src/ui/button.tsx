import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Printer from 'lucide-react/icons/printer';
import X from 'lucide-react/icons/x';
import { type ComponentProps, useEffect, useSyncExternalStore } from 'react';
import { doEarlyPress } from './early-presses.ts';
import { useKeptFocus } from './focus.tsx';

const VARIANTS = {
  primary: 'bg-primary text-white hover:bg-primary-deep',
  /** For secondary actions. */
  quiet: 'bg-surface text-ink inset-ring inset-ring-edge/50 hover:bg-paper-deep',
  /** On a dark background. */
  inverse: 'bg-white text-night hover:bg-mist',
  danger: 'bg-danger text-white hover:opacity-90',
  link: 'text-primary underline underline-offset-4',
};
const SIZES = {
  /** In a table row, which is itself a target. */
  row: 'h-10 px-4 text-sm lg:h-8 lg:px-3 lg:text-xs',
  small: 'h-10 px-4 text-sm',
  medium: 'h-11 px-5 text-sm',
  large: 'h-13 px-5 text-base sm:px-6',
  /** Of a link. */
  text: 'h-11 text-sm',
};

interface ButtonStyle {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
}

function buttonClass(
  { variant = 'primary', size = 'medium' }: ButtonStyle,
  className = '',
): string {
  return `inline-flex items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap ${variant === 'link' ? '' : 'forced-colors:border'} max-[18rem]:h-auto max-[18rem]:max-w-full max-[18rem]:py-2 transition-transform duration-150 active:translate-y-px disabled:not-data-busy:opacity-55 disabled:active:translate-y-0 ${VARIANTS[variant]} ${SIZES[size]} ${className}`;
}

const neverChanges = () => () => {};

/** A button that needs script. What is pressed before is kept (theme.browser.ts), and done once. */
export function ScriptButton(props: ComponentProps<'button'>) {
  const hydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  useEffect(() => {
    if (hydrated) doEarlyPress();
  }, [hydrated]);
  return <button type="button" data-early={hydrated ? undefined : ''} {...props} />;
}

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  busy?: boolean;
  /** It submits a form that the browser can send by itself. */
  worksWithoutScript?: boolean;
}

/** `busy` shows a spinner. The text has its element: translators replace text nodes. */
export function Button({
  variant,
  size,
  busy,
  className,
  disabled,
  worksWithoutScript = false,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const Element = worksWithoutScript ? 'button' : ScriptButton;
  const keepFocus = useKeptFocus(busy);
  return (
    <Element
      disabled={disabled || busy}
      data-busy={busy || undefined}
      className={buttonClass({ variant, size }, className)}
      onClick={(event) => {
        keepFocus(event);
        onClick?.(event);
      }}
      {...rest}
    >
      {busy && <Spinner />}
      <span className="contents">{children}</span>
    </Element>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<'a'> & ButtonStyle) {
  return <a className={buttonClass({ variant, size }, className)} {...rest} />;
}

/** Above a page's heading. */
export function BackLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a
      className="inline-flex min-h-11 items-center gap-2 text-sm font-medium text-primary"
      {...rest}
    >
      <ArrowLeft className="size-4" />
      {children}
    </a>
  );
}

interface CloseButtonProps extends ComponentProps<'button'> {
  'aria-label': string;
}

/** Closes a dialog or panel, on a light or dark background. `className` positions it. */
export function CloseButton({ className = '', ...rest }: CloseButtonProps) {
  return (
    <button
      type="button"
      data-tooltip
      className={`grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-paper-deep hover:text-ink in-[.on-night]:text-white in-[.on-night]:hover:bg-night-raised in-[.on-night]:hover:text-white ${className}`}
      {...rest}
    >
      <X className="size-5" />
    </button>
  );
}

export function PrintButton({ variant = 'quiet', size }: ButtonStyle) {
  return (
    <Button
      variant={variant}
      size={size}
      // startPrinting does it, since most pages with it are never hydrated.
      data-print
      className="noscript:hidden"
    >
      <Printer className="size-4" />
      Print
    </Button>
  );
}

/** At the end of a notice about a failure. */
export function TryAgainButton(props: ComponentProps<typeof Button>) {
  return (
    <Button variant="quiet" size="small" className="mt-3" {...props}>
      Try again
    </Button>
  );
}

interface ArrowLinkProps {
  href: string;
  children: string;
  /** The id of the card's heading. */
  describedBy: string;
  /** What the link leads to, for search engines, where its words do not say it. */
  about?: string;
  /** Classes that replace the primary color. */
  className?: string;
}

/** The link at the end of a card. */
export function ArrowLink(props: ArrowLinkProps) {
  const { href, children, describedBy, about, className = '' } = props;
  const color = className || 'text-primary hover:text-primary-deep';
  return (
    <a
      href={href}
      aria-describedby={describedBy}
      className={`group inline-flex min-h-10 items-center gap-1.5 self-start text-sm font-medium ${color}`}
    >
      <span>{children}</span>
      {about && (
        <span aria-hidden="true" className="sr-only">
          {`: ${about}`}
        </span>
      )}
      <ArrowRight className="size-4 transition-transform duration-150 group-hover:translate-x-1" />
    </a>
  );
}

/** Decorative: give it a text beside it that says what is loading. */
export function Spinner({ className = 'size-5' }: { className?: string }) {
  return <LoaderCircle className={`motion-safe:animate-spin ${className}`} />;
}
