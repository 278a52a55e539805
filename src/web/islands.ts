/** What the browser needs of a page in which there is something to operate. */
import type { ReactNode } from 'react';
import type { LaterScript } from '../platform/browser/later-script.ts';
import type { PublicSite } from '../platform/site.ts';
import { findModule } from './page-modules.ts';

/** The islands of a page, by name. */
export interface IslandsModule {
  default: Record<string, (props: object) => ReactNode>;
}

const MODULES = import.meta.glob<IslandsModule>('/src/{contact,home,safeguards}/*-islands.tsx');

/** Undefined for a page that is only read. */
export const findIslands = (page: string) => findModule(MODULES, `${page}-islands`);
/** Those that follow in a script of their own, so that the others work sooner. */
export const findRestIslands = (page: string) => findIslands(`${page}-rest`);

export interface SiteData {
  site: PublicSite;
  /** In order, with the props with which the server has rendered them. */
  islands: { name: string; props: object }[];
  /** The URL of the module that has them; empty on a page that is only read. */
  components: string;
  scripts: ShellScripts;
}

/** What the shell fetches later. */
export interface ShellScripts {
  /** Once the first screen is painted. */
  islands?: LaterScript;
  /** In one page view of ten. */
  vitals: LaterScript;
  /** When the panel opens. */
  chat: LaterScript;
  /** By site.browser.tsx, after the first islands. */
  rest?: LaterScript;
}
