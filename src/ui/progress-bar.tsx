interface ProgressBarProps {
  value: number;
  max: number;
  className?: string;
}

/** How far a visitor has come, beside words that say it: readers of the screen get the words alone. */
export function ProgressBar({ value, max, className = '' }: ProgressBarProps) {
  return (
    <progress
      aria-hidden="true"
      value={value}
      max={max}
      className={`block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-paper-deep [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-paper-deep [&::-webkit-progress-value]:bg-primary ${className}`}
    />
  );
}
