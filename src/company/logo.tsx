import { useSite } from '../platform/site.ts';
import { pictureAddress } from '../ui/picture.tsx';

/** The company's mark and name, as drawn in content/pictures. */
export function Logo({ onInk = false }: { onInk?: boolean }) {
  const { company, pictures } = useSite();
  const address = (image: string) => pictureAddress(image, pictures[image]);
  const light = address('/pictures/logo-light.svg');
  const img = (
    <img
      src={onInk ? light : address('/pictures/logo.svg')}
      alt={company.name}
      width={196}
      height={48}
      loading={onInk ? 'lazy' : 'eager'}
      className="h-9 w-auto"
    />
  );
  if (onInk) return img;
  // Where a theme was chosen that is not the system's, theme.css changes it.
  return (
    <picture>
      <source media="(prefers-color-scheme:dark)" srcSet={light} />
      {img}
    </picture>
  );
}
