/** In place of the site's own, which is drawn later after a move: a peer makes none. */
import type { ReactNode } from 'react';

export const RestOfPage = ({ children }: { children: ReactNode }) => children;
