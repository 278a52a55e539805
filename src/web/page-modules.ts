import type { ReactNode } from 'react';

/** What `import.meta.glob` finds: functions that load the modules, by their paths. */
type Modules<Props> = Record<string, () => Promise<PageModule<Props>>>;

interface PageModule<Props> {
  default(props: Props): ReactNode;
}

/** A page's module, such as src/news/article-page.tsx, and its path in the build's manifest. */
export function findPage<Props>(modules: Modules<Props>, name: string) {
  for (const [path, load] of Object.entries(modules))
    if (path.endsWith(`/${name}-page.tsx`)) return { module: path.slice(1), load };
  throw new Error(`There is no module for the page ${name}`);
}
