/**
 * Takes the place of lucide-react's own `createLucideIcon` in the build (vite.config.ts), which weighs 1 KB: an icon here
 * has a class, perhaps a stroke of another width or a label, and nothing else.
 */
import { type ComponentProps, createElement } from 'react';

interface IconData {
  node: readonly [tag: string, attributes: Record<string, string>][];
}

export default function createIcon({ node }: IconData) {
  return (props: ComponentProps<'svg'>) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: hidden, or named by its aria-label.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={24}
      height={24}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden={props['aria-label'] ? undefined : true}
      {...props}
    >
      {node.map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  );
}
