import type { ReactNode } from 'react';

/** What `import.meta.glob` finds: functions that load the modules, by their paths. */
type Modules<Module> = Record<string, () => Promise<Module>>;

/** A module, such as src/news/article-page.tsx, and its path in the build's manifest. */
export function findModule<Module>(modules: Modules<Module>, file: string) {
  for (const [path, load] of Object.entries(modules))
    if (path.endsWith(`/${file}.tsx`)) return { module: path.slice(1), load };
  return undefined;
}

interface PageModule<Props> {
  default(props: Props): ReactNode;
}

export function findPage<Props>(modules: Modules<PageModule<Props>>, name: string) {
  const found = findModule(modules, `${name}-page`);
  if (!found) throw new Error(`There is no module for the page ${name}`);
  return found;
}
