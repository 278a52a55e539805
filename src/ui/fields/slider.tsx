import type { ComponentProps } from 'react';

/** A number by feel, beside a field that takes it to the letter: without script it could not follow that field. */
export function Slider({ className = '', ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return <input type="range" className={`slider noscript:hidden ${className}`} {...rest} />;
}
