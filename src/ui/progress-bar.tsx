interface ProgressBarProps {
  value: number;
  max: number;
  className?: string;
}

/** Hidden from screen readers: give it a text beside it that says the same. */
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
